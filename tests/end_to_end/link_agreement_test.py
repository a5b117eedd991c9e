"""scripts/link_agreement.py counts how often cross attention looks where gold links point."""
import json
import subprocess
import sys

import support

SCRIPT = support.ROOT / "scripts" / "link_agreement.py"


def side(*tokens):
    return {"tokens": [*tokens, "</s>"], "special": [False] * len(tokens) + [True]}


def entry(head, *rows, kind="cross"):
    return {"kind": kind, "layer": 0, "head": head, "weights": list(rows)}


RIGHT = {"target": side("das", "Haus"), "attention": [
    entry(0, [0.8, 0.1, 0.1], [0.2, 0.7, 0.1], [0.1, 0.1, 0.8]),
    entry(1, [0.8, 0.1, 0.1], [0.7, 0.2, 0.1], [0.1, 0.1, 0.8]),
    entry(0, [0.0, 1.0], [0.0, 1.0], kind="decoder")]}
OTHER = {"target": side("ein", "Haus"), "attention": RIGHT["attention"]}


def agreement(folder, *options, links="0-0 1-1", sentences=(RIGHT, OTHER)):
    files = {"attention.json": json.dumps({"sentences": sentences}),
             "links": f"{links}\n" * len(sentences), "target": "das Haus\n" * len(sentences)}
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")
    return subprocess.run([sys.executable, SCRIPT, *(folder / name for name in files),
                           *map(str, options)], capture_output=True, text=True)


def refused(done):
    assert done.returncode == 1 and len(done.stderr.splitlines()) == 1, done.stderr
    return done.stderr


def test_words_are_counted_where_the_result_is_the_reference(tmp_path):
    done = agreement(tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["1 of 2 sentences are the reference",
                                        "layer 0  head 0  2/2  100.0 %",
                                        "layer 0  head 1  1/2  50.0 %"]
    assert "head 0" not in agreement(tmp_path, "--head", 1).stdout


def test_the_best_map_must_reach_what_is_asked(tmp_path):
    assert agreement(tmp_path, "--at-least", 100).returncode == 0
    assert "50.0 %, below 60 %" in refused(agreement(tmp_path, "--head", 1, "--at-least", 60))


def test_nothing_to_count_is_refused(tmp_path):
    for done in (agreement(tmp_path, links=""), agreement(tmp_path, sentences=[OTHER]),
                 agreement(tmp_path, "--layer", 7)):
        assert "no word with a link was counted" in refused(done)
