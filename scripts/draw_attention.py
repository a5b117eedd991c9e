#!/usr/bin/env python3
"""Draw one attention map of a `heed attend` JSON as SVG; needs nothing but Python.

usage: draw_attention.py FILE.json [--kind cross] [--layer N] [--head N] [--sentence 0] > FILE.svg

Without --head all heads of the layer are drawn, two side by side; without --layer the last layer.
"""

import argparse
import json
import sys
from html import escape

CELL = 26
SIDE_BY_SIDE = 2
FONT = "font-family='DejaVu Sans, Verdana, sans-serif' font-size='12'"
# Light to dark blue, even steps of lightness.
LOW, HIGH = (247, 251, 255), (8, 48, 107)


def color(weight: float) -> str:
    return "#%02x%02x%02x" % tuple(
        round(low + (high - low) * weight) for low, high in zip(LOW, HIGH))


def labels(sentence: dict, kind: str) -> tuple[list[str], list[str]]:
    """The tokens of the rows and of the columns."""
    source = sentence["source"]["tokens"]
    if kind == "encoder":
        return source, source
    target = sentence["target"]
    return target["tokens"], source if kind == "cross" else target["input_tokens"]


def text_width(tokens: list[str]) -> int:
    return 8 * max(map(len, tokens)) + 10


def draw_head(entry: dict, rows: list[str], columns: list[str], x: int, y: int,
              title_y: int) -> list[str]:
    out = [f"<text x='{x + len(columns) * CELL / 2:.0f}' y='{title_y}' text-anchor='middle' "
           f"font-weight='bold' {FONT}>layer {entry['layer']}, head {entry['head']}</text>"]
    for c, token in enumerate(columns):
        at = x + c * CELL + CELL // 2 + 4
        out.append(f"<text transform='translate({at},{y - 6}) rotate(-60)' {FONT}>"
                   f"{escape(token)}</text>")
    for r, token in enumerate(rows):
        top = y + r * CELL
        out.append(f"<text x='{x - 6}' y='{top + 18}' text-anchor='end' {FONT}>"
                   f"{escape(token)}</text>")
        for c, weight in enumerate(entry["weights"][r]):
            out.append(f"<rect x='{x + c * CELL}' y='{top}' width='{CELL - 1}' "
                       f"height='{CELL - 1}' fill='{color(weight)}'>"
                       f"<title>{escape(token)} → {escape(columns[c])}: {weight:.3f}</title></rect>")
    return out


def draw(sentence: dict, entries: list[dict]) -> str:
    rows, columns = labels(sentence, entries[0]["kind"])
    left, top = text_width(rows), text_width(columns) + 26
    wide = left + len(columns) * CELL + text_width(columns) // 2  # the last label leans out
    high = top + len(rows) * CELL + 12
    body = []
    for index, entry in enumerate(entries):
        down, right = divmod(index, SIDE_BY_SIDE)
        body += draw_head(entry, rows, columns, left + right * wide, top + down * high,
                          16 + down * high)
    width = wide * min(len(entries), SIDE_BY_SIDE)
    height = high * -(-len(entries) // SIDE_BY_SIDE)
    return (f"<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='{height}' "
            f"viewBox='0 0 {width} {height}'><rect width='100%' height='100%' fill='white'/>\n"
            + "\n".join(body) + "\n</svg>\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--kind", choices=("encoder", "decoder", "cross"), default="cross")
    parser.add_argument("--layer", type=int)
    parser.add_argument("--head", type=int)
    parser.add_argument("--sentence", type=int, default=0)
    args = parser.parse_args()

    try:
        with open(args.file, encoding="utf-8") as stream:
            sentences = json.load(stream)["sentences"]
    except (OSError, UnicodeDecodeError, json.JSONDecodeError, KeyError, TypeError) as error:
        parser.error(f"{args.file}: is no JSON of 'heed attend': {error}")
    if not 0 <= args.sentence < len(sentences):
        parser.error(f"--sentence {args.sentence}: {args.file} holds {len(sentences)}, from 0")
    sentence = sentences[args.sentence]
    if args.kind != "encoder" and sentence["target"] is None:
        parser.error(f"--kind {args.kind}: a classifier has attention of kind encoder only")
    entries = [entry for entry in sentence["attention"] if entry["kind"] == args.kind]
    layer = args.layer if args.layer is not None else max((e["layer"] for e in entries), default=0)
    entries = [entry for entry in entries
               if entry["layer"] == layer and args.head in (None, entry["head"])]
    if not entries:
        parser.error(f"{args.file}: no {args.kind} attention of that layer and head")
    sys.stdout.write(draw(sentence, entries))


if __name__ == "__main__":
    main()
