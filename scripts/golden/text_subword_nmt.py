#!/usr/bin/env python3
"""Learns merges with subword-nmt and writes what it makes of many lines:
tests/golden/text_subword_nmt.json.

    python3 -m venv /somewhere && /somewhere/bin/pip install subword-nmt==0.3.8
    /somewhere/bin/python scripts/golden/text_subword_nmt.py

The same merges stand in three files: with "#version: 0.2", without (version 0.1, where the end of a
word is a symbol of its own), and as fastBPE writes them, with a count and no version.
"""
import io
import json
import random
from pathlib import Path

from subword_nmt.apply_bpe import BPE
from subword_nmt.learn_bpe import learn_bpe

GOLDEN = Path(__file__).resolve().parents[2] / "tests/golden"
WORDS = ("the a old young cat cats dog dogs house houses sees hears likes follows red car older"
         " youngest für Straße Größe größer über naïve café 天气 今天 мир don't xx xxx xxxx well-known"
         " unter- halten unterhalten Haus Häuser ein eine einen").split()
LINES = ["", "a", "x", "the", "thecatsees", "olderhouse xxxxx xxxxxxxxxxx", "  two   spaces ",
         "天气天 東京 a東b", "</w> a</w> w>", "@@ a@@ b", "Straßenhaus größten unterhielt", "." * 30]


def corpus() -> list[str]:
    draw = random.Random(6)
    return [" ".join(draw.choices(WORDS, k=draw.randrange(2, 8))) for _ in range(300)]


def learned() -> str:
    codes = io.StringIO()
    learn_bpe(io.StringIO("\n".join(corpus())), codes, 120, min_frequency=2)
    return codes.getvalue()


def main() -> None:
    with_version = learned()
    merges = with_version.split("\n", 1)[1]
    # Version 0.1 counts the end of a word as a symbol: its merges begin with the pieces at the end.
    ends = sorted({line.split()[1][:-4] for line in merges.splitlines()
                   if line.endswith("</w>") and len(line.split()[1]) > 4})
    apart = "".join(f"{end} </w>\n" for end in ends if len(end) == 1) + merges
    counted = "".join(f"{line} {1000 - i}\n" for i, line in enumerate(merges.splitlines()))
    lines = LINES + corpus()[:60]
    segment = {
        "version_2": BPE(io.StringIO(with_version)),
        "no_version": BPE(io.StringIO(apart)),
        "counted": BPE(io.StringIO(with_version)),
    }
    files = {"version_2": with_version, "no_version": apart, "counted": counted}
    golden = {name: {"codes": files[name], "lines": [[line, bpe.process_line(line).split()]
                                                     for line in lines]}
              for name, bpe in segment.items()}

    counts: dict[str, int] = {}
    for line in corpus():
        for piece in segment["version_2"].process_line(line).split():
            counts[piece] = counts.get(piece, 0) + 1
    letters = {piece for piece in counts if len(piece.removesuffix("@@")) == 1}
    kept = {piece: n for piece, n in counts.items() if n > 40 or piece in letters}
    limited = BPE(io.StringIO(with_version), vocab=set(kept))
    golden["limited"] = {
        "codes": with_version,
        "vocabulary": "".join(f"{piece} {n}\n" for piece, n in kept.items()),
        "lines": [[line, [piece if piece in kept else "<unk>"
                          for piece in limited.process_line(line).split()]] for line in lines],
    }
    (GOLDEN / "text_subword_nmt.json").write_text(
        json.dumps(golden, ensure_ascii=False, separators=(",", ":")) + "\n", "utf-8")


if __name__ == "__main__":
    main()
