#!/usr/bin/env python3
"""Probabilities of all segmentations of a few lines, by brute force: tests/golden/text_sampling.json.

    .venv/bin/python scripts/golden/text_sampling.py

Reads the models that text_sentencepiece.py wrote, with sentencepiece 0.2.2. A unigram segmentation
is as probable as the product of its pieces' probabilities to the power of alpha (Kudo, 2018). Under
BPE-dropout (Provilkov et al., 2020) each merge that can be done is dropped with probability p at
every step, the best one left is done, and a word is finished when all are dropped.
"""
import json
import math
from pathlib import Path

import sentencepiece

GOLDEN = Path(__file__).resolve().parents[2] / "tests/golden"
LINES = ["the old", "seesa", "a", "likes", "für tho"]


def words(line: str) -> list[str]:
    return ["\u2581" + word for word in line.split()]


def unigram(model, word: str, alpha: float) -> dict[tuple[str, ...], float]:
    found: dict[tuple[str, ...], float] = {}

    def extend(rest: str, pieces: tuple[str, ...], score: float) -> None:
        if not rest:
            found[pieces] = math.exp(alpha * score)
        for end in range(1, len(rest) + 1):
            piece = model.piece_to_id(rest[:end])
            if piece != model.unk_id():
                extend(rest[end:], (*pieces, rest[:end]), score + model.get_score(piece))

    extend(word, (), 0.0)
    total = sum(found.values())
    return {pieces: weight / total for pieces, weight in found.items()}


def dropout(model, pieces: tuple[str, ...], p: float) -> dict[tuple[str, ...], float]:
    merges = []
    for i in range(len(pieces) - 1):
        piece = model.piece_to_id(pieces[i] + pieces[i + 1])
        if piece != model.unk_id():
            merges.append((-model.get_score(piece), i))
    found = {pieces: p ** len(merges)}
    for nth, (_, i) in enumerate(sorted(merges)):
        after = (*pieces[:i], pieces[i] + pieces[i + 1], *pieces[i + 2:])
        for end, chance in dropout(model, after, p).items():
            found[end] = found.get(end, 0.0) + (1 - p) * p ** nth * chance
    return found


def together(parts: list[dict]) -> list:
    out = {(): 1.0}
    for part in parts:
        out = {(*a, *b): x * y for a, x in out.items() for b, y in part.items()}
    assert abs(sum(out.values()) - 1) < 1e-9
    likely = sorted(out.items(), key=lambda item: -item[1])[:40]
    return [[list(pieces), round(chance, 9)] for pieces, chance in likely]


def main() -> None:
    golden = []
    for name, amounts in (("text_unigram", (0.2, 1.0)), ("text_bpe", (0.1, 0.5))):
        model = sentencepiece.SentencePieceProcessor(model_file=str(GOLDEN / f"{name}.model"))
        for amount in amounts:
            for line in LINES:
                parts = [unigram(model, word, amount) if name == "text_unigram"
                         else dropout(model, tuple(word), amount) for word in words(line)]
                golden.append({"model": name, "amount": amount, "text": line,
                               "segmentations": together(parts)})
    (GOLDEN / "text_sampling.json").write_text(
        json.dumps(golden, ensure_ascii=False, separators=(",", ":")) + "\n", "utf-8")


if __name__ == "__main__":
    main()
