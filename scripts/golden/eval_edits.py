#!/usr/bin/env python3
"""Writes tests/golden/eval_edits.json: edits of word sequences as sacreBLEU's TER counts them.

    .venv/bin/python scripts/golden/eval_edits.py

A letter is a word. Few different words make many shifts possible and meet every limit of the
search; long and very unequal texts meet its beam.
"""
import json
import random
from pathlib import Path

import sacrebleu
from sacrebleu.metrics.lib_ter import translation_edit_rate

OUT = Path(__file__).resolve().parents[2] / "tests/golden/eval_edits.json"
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def text(length: int, words: int) -> str:
    return "".join(random.choice(LETTERS[:words]) for _ in range(length))


def moved(line: str, words: int) -> str:
    """The line with parts shifted, and some words lost, added and replaced."""
    for _ in range(random.randrange(4)):
        begin = random.randrange(len(line) + 1)
        end = min(len(line), begin + random.randrange(13))
        part, rest = line[begin:end], line[:begin] + line[end:]
        to = random.randrange(len(rest) + 1)
        line = rest[:to] + part + rest[to:]
    noise = [random.choice([w, w, w, w, w, w, "", text(1, words), w + text(1, words)]) for w in line]
    return "".join(noise)


def pairs():
    yield from (("", ""), ("a", ""), ("", "abc"), ("abc", "abc"), ("bca", "abc"))
    for _ in range(260):  # as sentences are
        words = random.choice((2, 3, 6, 20, 52))
        reference = text(random.randrange(1, 30), words)
        yield moved(reference, words), reference
    for _ in range(40):  # unlike each other, and unequal in length
        yield text(random.randrange(0, 40), 5), text(random.randrange(1, 40), 5)
    for length, other in ((5, 160), (160, 5), (1, 90), (120, 120), (90, 60), (70, 140)):
        yield text(length, 8), text(other, 8)
    for length in (60, 90, 120):
        reference = text(length, 40)
        yield moved(reference, 40), reference


def main() -> None:
    random.seed(5)
    cases = [[h, r, translation_edit_rate(list(h), list(r))[0]] for h, r in pairs()]
    json.dump({"made_with": "sacrebleu " + sacrebleu.__version__, "cases": cases}, OUT.open("w"),
              separators=(",", ":"))
    print(OUT.stat().st_size, "bytes,", len(cases), "cases")


if __name__ == "__main__":
    main()
