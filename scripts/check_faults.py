#!/usr/bin/env python3
"""Fail where a fault of plant_faults.py can no longer be planted: its lines must stand once."""

import importlib.util
import sys
from pathlib import Path


def planted_faults() -> list[tuple[str, str, str, str]]:
    spec = importlib.util.spec_from_file_location("plant_faults", "scripts/plant_faults.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.FAULTS


def problems() -> list[str]:
    found = []
    for name, file, right, _ in planted_faults():
        count = Path(file).read_text(encoding="utf-8").count(right) if Path(file).exists() else 0
        if count != 1:
            found.append(f"{file}: '{right}' stands there {count} times, not once; the fault is "
                         f"\"{name}\" in scripts/plant_faults.py")
    return found


if __name__ == "__main__":
    found = problems()
    print("\n".join(found) or "faults: each can be planted")
    sys.exit(bool(found))
