#!/usr/bin/env python3
"""Fail when a file under src/ includes a folder that its own folder may not know.

usage: check_layers.py [SRC]
"""

import re
import sys
from pathlib import Path

MAY_INCLUDE = {
    "base": set(),
    "config": {"base"},
    "text": {"base", "config"},
    "data": {"base", "config", "text"},
    "nn": {"base"},
    "model": {"base", "config", "nn"},
    "checkpoint": {"base", "config"},
    "train": {"base", "config", "data", "nn", "model", "checkpoint"},
    "decode": {"base", "config", "nn", "model"},
    "eval": {"base"},
    "exchange": {"base", "config", "text", "nn", "model", "checkpoint"},
}
MAY_INCLUDE["pipeline"] = set(MAY_INCLUDE) - {"train", "exchange"}
MAY_INCLUDE["inspect"] = MAY_INCLUDE["pipeline"] | {"pipeline"}
MAY_INCLUDE["bench"] = set(MAY_INCLUDE) - {"inspect"}
MAY_INCLUDE["cli"] = set(MAY_INCLUDE)

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]*)"', re.MULTILINE)


def violations(src: Path) -> list[str]:
    found = []
    for file in sorted(src.glob("*/**/*")):
        if file.suffix not in {".h", ".cpp"}:
            continue
        folder = file.relative_to(src).parts[0]
        if folder not in MAY_INCLUDE:
            found.append(f"{file}: {folder}/ is not in the table of folders")
            continue
        for header in INCLUDE.findall(file.read_text(encoding="utf-8")):
            target = header.split("/")[0]
            if target not in MAY_INCLUDE:
                found.append(f'{file}: "{header}" does not start at a folder of src/')
            elif target != folder and target not in MAY_INCLUDE[folder]:
                found.append(f"{file}: {folder}/ may not include {target}/")
    return found


if __name__ == "__main__":
    problems = violations(Path(sys.argv[1] if len(sys.argv) > 1 else "src"))
    print("\n".join(problems) or "layers: every include follows the table")
    sys.exit(bool(problems))
