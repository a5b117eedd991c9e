#!/usr/bin/env python3
"""Write tests/golden/base_utf8.tsv: bytes, what Python's errors="replace" makes of them, and how
many parts it replaced; both as hex. Python 3.11."""

import random
from pathlib import Path

EDGES = bytes.fromhex("00 0a 41 7f 80 8f 90 9f a0 bf c0 c1 c2 df e0 e1 ed ef f0 f1 f3 f4 f5 f8 ff")
WELL_FORMED = ["a", "\u00e9", "\u4e2d", "\U0001f600", "\ud7ff", "\ue000", "\U0010ffff"]


def samples() -> list[bytes]:
    draw = random.Random(7)
    made = [bytes([a, b]) for a in EDGES for b in EDGES]
    for _ in range(600):
        made.append(bytes(draw.choice(EDGES) for _ in range(draw.randint(3, 12))))
    for _ in range(300):
        text = "".join(draw.choice(WELL_FORMED) for _ in range(5)).encode()
        cut = draw.randint(0, len(text))
        made.append(text[:cut] + bytes([draw.choice(EDGES)]) * draw.randint(0, 1) + text[cut + 1 :])
    return made


if __name__ == "__main__":
    lines = []
    for raw in samples():
        text = raw.decode("utf-8", errors="replace")
        lines.append(f"{raw.hex()}\t{text.encode().hex()}\t{text.count(chr(0xFFFD))}\n")
    out = Path(__file__).parents[2] / "tests/golden/base_utf8.tsv"
    out.write_text("".join(lines), encoding="ascii")
