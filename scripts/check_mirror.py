#!/usr/bin/env python3
"""Fail when a source file has no test at the same path under tests/, or a test no source."""

import sys
from pathlib import Path

# Tested elsewhere: a source or folder under src/, and where its test is.
TESTED_BY = {
    "main.cpp": "end_to_end",
    "cli": "end_to_end",
    "model/attention_registry.cpp": "model/attention_contract_test.cpp",
}
# Tests of a rule that no single source holds.
NO_SOURCE = {
    "model/attention_caches_test.cpp",
    "model/attention_contract_test.cpp",
    "model/attention_in_translators_test.cpp",
}


def excused(name: Path) -> bool:
    return any(str(part) in TESTED_BY for part in (name, *name.parents))


def problems(src: Path, tests: Path) -> list[str]:
    found = []
    for file in sorted(src.rglob("*.cpp")):
        name = file.relative_to(src)
        test = tests / name.with_name(f"{name.stem}_test.cpp")
        if not test.exists() and not excused(name):
            found.append(f"{file}: has no test; it would be {test}")
    for test in sorted(tests.rglob("*_test.cpp")):
        name = test.relative_to(tests)
        stem = src / name.with_name(name.name.removesuffix("_test.cpp"))
        sources = (stem.with_suffix(".cpp"), stem.with_suffix(".h"))
        if not any(file.exists() for file in sources) and str(name) not in NO_SOURCE:
            found.append(f"{test}: tests no source; there is no {sources[0]} and no {sources[1]}")
    for name in (*TESTED_BY, *TESTED_BY.values()):
        if not (src / name).exists() and not (tests / name).exists():
            found.append(f"scripts/check_mirror.py: {name}: listed, but is not there")
    return found


if __name__ == "__main__":
    found = problems(Path("src"), Path("tests"))
    print("\n".join(found) or "mirror: every source has its test")
    sys.exit(bool(found))
