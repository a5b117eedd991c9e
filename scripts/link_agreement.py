#!/usr/bin/env python3
"""How often cross attention looks where gold word links point.

usage: link_agreement.py ATTENTION.json LINKS TARGET [--layer N] [--head N] [--at-least PERCENT]

ATTENTION.json is what `heed attend RUN --input SOURCE` wrote with a tokenizer of whole words, LINKS
has a line of `source-target` word numbers for each sentence, TARGET the reference translations. The
links tell of the reference, so sentences count whose result is the reference, word for word. A word
agrees when the source token with most weight in its row is one it is linked to. Without --layer and
--head every map gets its line. Prints: layer, head, words that agree, words, share. Exits with 1
where nothing counts, or no map reaches --at-least.
"""

import argparse
import json
from collections import defaultdict


def gold_links(line: str) -> dict[int, set[int]]:
    """Target word -> the source words it is linked to."""
    links = defaultdict(set)
    for pair in line.split():
        source, target = map(int, pair.split("-"))
        links[target].add(source)
    return links


def words(sentence_side: dict) -> list[str]:
    return [token for token, special in zip(sentence_side["tokens"], sentence_side["special"])
            if not special]


def count(entry: dict, links: dict[int, set[int]]) -> tuple[int, int]:
    agreed = 0
    for target, sources in links.items():
        row = entry["weights"][target]
        agreed += max(range(len(row)), key=row.__getitem__) in sources
    return agreed, len(links)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("attention")
    parser.add_argument("links")
    parser.add_argument("target")
    parser.add_argument("--layer", type=int)
    parser.add_argument("--head", type=int)
    parser.add_argument("--at-least", type=float, metavar="PERCENT", dest="least")
    options = parser.parse_args()

    with open(options.attention, encoding="utf-8") as file:
        sentences = json.load(file)["sentences"]
    with open(options.links, encoding="utf-8") as file:
        links = [gold_links(line) for line in file]
    with open(options.target, encoding="utf-8") as file:
        references = [line.split() for line in file]
    if not len(sentences) == len(links) == len(references):
        raise SystemExit(f"{len(sentences)} sentences, {len(links)} lines of links and "
                         f"{len(references)} references: want as many of each")

    totals = defaultdict(lambda: (0, 0))
    right = 0
    for sentence, gold, reference in zip(sentences, links, references):
        if words(sentence["target"]) != reference:
            continue
        right += 1
        for entry in sentence["attention"]:
            at = entry["layer"], entry["head"]
            if entry["kind"] != "cross" or options.layer not in (None, at[0]) or \
                    options.head not in (None, at[1]):
                continue
            agreed, of = count(entry, gold)
            totals[at] = totals[at][0] + agreed, totals[at][1] + of
    print(f"{right} of {len(sentences)} sentences are the reference")
    if not any(of for _, of in totals.values()):
        raise SystemExit(f"{options.attention}: no word with a link was counted; give sentences "
                         "whose result is the reference, and a layer and head that are there")
    best = 0.0
    for (layer, head), (agreed, of) in sorted(totals.items()):
        share = 100 * agreed / of
        best = max(best, share)
        print(f"layer {layer}  head {head}  {agreed}/{of}  {share:.1f} %")
    if options.least is not None and best < options.least:
        raise SystemExit(f"the best map agrees in {best:.1f} %, below {options.least:g} %")


if __name__ == "__main__":
    main()
