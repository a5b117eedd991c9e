#!/usr/bin/env python3
"""Fail at an open end without the number of its issue: it is written TODO(#12)."""

import re
import subprocess
import sys
from pathlib import Path

SUFFIXES = {".h", ".cpp", ".py", ".sh", ".cmake", ".txt", ".md", ".json", ".js", ".html", ".css"}
TODO = re.compile(r"\b(TODO|FIXME|XXX)\b(?!\(#\d+\))")


def tracked() -> list[Path]:
    names = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        capture_output=True, text=True, check=True,
    ).stdout.splitlines()
    return [Path(name) for name in names]


def problems(files: list[Path]) -> list[str]:
    found = []
    for file in files:
        skipped = file.parts[0] == "data" or file.parts[:2] == ("tests", "golden")
        if skipped or file.suffix not in SUFFIXES or not file.is_file():
            continue
        if file.name == Path(__file__).name:
            continue
        lines = file.read_text(encoding="utf-8", errors="replace").split("\n")
        for number, line in enumerate(lines, start=1):
            match = TODO.search(line)
            if match:
                found.append(f"{file}:{number}: {match[1]} without an issue; write TODO(#12)")
    return found


if __name__ == "__main__":
    found = problems(tracked())
    print("\n".join(found) or "todo: every open end has its issue")
    sys.exit(bool(found))
