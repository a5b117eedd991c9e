"""heed explain: the worked example, and one attention step of a run."""
import json
import math

import pytest

import support

REFERENCE = json.loads((support.ROOT / "tests" / "golden" / "river_bank.json").read_text("utf-8"))
SOURCE = "the old man sees the house"


def close(a, b, bound):
    if isinstance(a, list):
        return len(a) == len(b) and all(close(x, y, bound) for x, y in zip(a, b))
    return abs(a - b) < bound


def step(*args):
    return json.loads(support.run("explain", *args, "--json").stdout)


def test_the_example_has_the_numbers_of_the_reference():
    found = step("--example", "river-bank")
    assert found["tokens"] == REFERENCE["tokens"]
    for key in ("query", "key", "value", "scores", "scaled_scores", "weights", "context"):
        assert close(found[key], REFERENCE[key], 1e-9), key
    assert found["most_attended"] == ["by"] * 4


def test_the_example_reads_within_80_columns():
    text = support.run("explain", "--example", "river-bank").stdout.decode()
    assert max(map(len, text.splitlines())) <= 80
    shown = [float(word) for word in text.split() if word.count(".") == 1 and word[-1].isdigit()
             and word.replace(".", "").isdigit()]
    for row in REFERENCE["context"]:
        assert all(any(abs(x - y) < 6e-5 for y in shown) for x in row)


@pytest.mark.parametrize("kind", ["encoder", "decoder", "cross"])
def test_a_step_of_a_run_is_that_of_attend(kind, translator, tmp_path):
    support.run("attend", translator, "--source", SOURCE, "--out", tmp_path / "a.json")
    sentence = json.loads((tmp_path / "a.json").read_text())["sentences"][0]
    shown = next(a for a in sentence["attention"]
                 if (a["kind"], a["layer"], a["head"]) == (kind, 1, 1))
    found = step(translator, "--source", SOURCE, "--kind", kind, "--layer", 1, "--head", 1,
                 "--token", 2)
    assert close(found["weights"], shown["weights"][2], 1e-6)
    rows = sentence["source"] if kind == "encoder" else sentence["target"]
    keys = (sentence["target"]["input_tokens"] if kind == "decoder"
            else sentence["source"]["tokens"])
    assert found["text"] == rows["tokens"][2] and found["keys"] == keys

    depth = len(found["query"])
    for key, score, scaled, weight in zip(found["key"], found["scores"], found["scaled_scores"],
                                          found["weights"]):
        assert abs(sum(a * b for a, b in zip(found["query"], key)) - score) < 1e-5
        assert (weight == 0) if scaled is None else abs(score / math.sqrt(depth) - scaled) < 1e-5
    for i, number in enumerate(found["context"]):
        total = sum(w * v[i] for w, v in zip(found["weights"], found["value"]))
        assert abs(total - number) < 1e-6
    norms = [c["norm"] for c in found["contributions"]]
    assert norms == sorted(norms, reverse=True)


def test_a_given_target_and_a_classifier_can_be_explained(translator, classifier):
    found = step(translator, "--source", SOURCE, "--target", "das alte Haus", "--kind", "cross")
    assert found["text"] == "das" and found["input"] == "<s>"
    found = step(classifier, "--source", "first one two second", "--token", 3)
    assert found["text"] == "second" and found["input"] is None


def test_the_step_reads_within_80_columns(translator):
    text = support.run("explain", translator, "--source", SOURCE, "--kind", "cross").stdout.decode()
    assert max(map(len, text.splitlines())) <= 80
    assert "cross attention (multi_head), layer 0, head 0" in text and "Most comes from" in text


@pytest.mark.parametrize("options, words", [
    ((), "RUN is missing"),
    (("RUN",), "--source is missing"),
    (("--example", "river"), "river-bank"),
    (("RUN", "--example", "river-bank"), "--example"),
    (("--example", "river"), "There is river-bank"),
    (("--example", "river-bank", "--layer", 2), "--layer: the example has its own numbers"),
    (("--example", "river-bank", "--kind", "cross"), "--kind: the example has"),
    (("--example", "river-bank", "--target", "x"), "--target: the example has"),
    (("--example", "river-bank", "--cache-max", 2), "--cache-max: the example has"),
    (("RUN", "--source", SOURCE, "--target", "das", "--cache-max", 2), "--cache-max: the target is"),
    (("RUN", "--source", SOURCE, "--layer", 2), "--layer: 2, but this kind has 2 layers, 0 to 1"),
    (("RUN", "--source", SOURCE, "--head", 9), "--head: 9"),
    (("RUN", "--source", SOURCE, "--token", 99), "--token: 99"),
    (("RUN", "--source", SOURCE, "--kind", "self"), "--kind"),
    (("RUN", "--source", " "), "--source: holds no token"),
])
def test_what_is_not_there_is_refused(options, words, translator):
    options = [translator if option == "RUN" else option for option in options]
    assert words in support.refused("explain", *options, code=2)


def test_a_classifier_has_no_cross_attention(classifier):
    error = support.refused("explain", classifier, "--source", "first", "--kind", "cross", code=2)
    assert "it has encoder" in error
