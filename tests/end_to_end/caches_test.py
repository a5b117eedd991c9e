"""What --cache-max and --cache-precision do, and runs of patterns with global tokens."""
import json

import pytest

import support


@pytest.fixture(scope="module")
def pattern_run(tmp_path_factory):
    """A translator with BigBird's pattern, so small that short sentences feel it."""
    folder = tmp_path_factory.mktemp("pattern")
    attention = {
        "type": "bigbird", "window": 1, "random": 1, "block": 2, "global_positions": [0],
        "global_tokens": ["</s>"],
    }
    return support.train(folder, "translate", model={"attention": attention},
                         train={"max_steps": 30})


def sentences(folder):
    return "".join((folder / "valid.en").read_text("utf-8").splitlines(keepends=True)[:6])


def translated(run, text, *options):
    return support.run("translate", run, *options, stdin=text).stdout.decode()


@pytest.mark.parametrize("beam", ["1", "3"])
def test_room_for_all_changes_nothing(pattern_run, beam):
    text = sentences(pattern_run.parent)
    plain = translated(pattern_run, text, "--beam-size", beam)
    assert plain.count("\n") == 6
    assert translated(pattern_run, text, "--beam-size", beam, "--cache-max", "4000") == plain


@pytest.mark.parametrize(
    "options", [("--cache-max", "1"), ("--cache-max", "6"), ("--cache-precision", "bf16"),
                ("--cache-precision", "int8", "--cache-max", "5")]
)
def test_smaller_caches_give_one_line_for_each(pattern_run, options):
    text = sentences(pattern_run.parent)
    assert translated(pattern_run, text, *options).count("\n") == 6


def test_attention_of_a_search_with_small_caches_is_shown(pattern_run):
    done = support.run("attend", pattern_run, "--source", "the cat", "--cache-max", "3",
                       "--cache-precision", "int8")
    shown = json.loads(done.stdout)["sentences"][0]
    kinds = [entry["kind"] for entry in shown["attention"]]
    assert {"encoder", "decoder", "cross"} == set(kinds)
    for entry in shown["attention"]:
        for row in entry["weights"]:
            assert abs(sum(row) - 1.0) < 1e-4


@pytest.mark.parametrize("option,value", [("--cache-max", "-1"), ("--cache-precision", "int4")])
def test_caches_of_another_kind_are_refused(pattern_run, option, value):
    assert option in support.refused("translate", pattern_run, option, value, code=2)


def test_global_tokens_outside_the_vocabulary_are_refused(pattern_run, tmp_path):
    file = pattern_run.parent / "run.json"
    fault = support.refused("train", file, "--run", tmp_path / "run", "--set",
                            'model.attention.global_tokens=["nonesuch"]', code=2)
    assert "model.attention.global_tokens: 'nonesuch' is no piece" in fault
