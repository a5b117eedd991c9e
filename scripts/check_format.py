#!/usr/bin/env python3
"""Fail when a C++ file of src/ or tests/ is not as clang-format would write it."""

import re
import subprocess
import sys
from pathlib import Path

CLANG_FORMAT = Path(sys.executable).parent / "clang-format"


def problems(files: list[str]) -> list[str]:
    run = subprocess.run(
        [CLANG_FORMAT, "--dry-run", "-Werror", *files], capture_output=True, text=True, check=False
    )
    places = re.findall(r"^(.*?:\d+):\d+: (?:error|warning): ", run.stderr, re.MULTILINE)
    found = {}  # the first line of each file says enough
    for place in places:
        found.setdefault(place.rsplit(":", 1)[0], place)
    lines = [f"{place}: not formatted; run clang-format -i" for place in found.values()]
    if run.returncode != 0 and not lines:
        lines = run.stderr.splitlines() or ["clang-format: failed"]
    return lines


if __name__ == "__main__":
    sources = sorted(
        str(file)
        for folder in ("src", "tests")
        for file in Path(folder).rglob("*")
        if file.suffix in {".h", ".cpp"}
    )
    found = problems(sources)
    print("\n".join(found) or f"format: {len(sources)} files are formatted")
    sys.exit(bool(found))
