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


@pytest.mark.parametrize("most", [1, 2, 4, 9])
def test_what_a_bounded_cache_forgot_has_no_weight_and_the_rest_is_recomputed(translator, most):
    """Against the model written again, with the keys kept as its mask."""
    torch = pytest.importorskip("torch")
    from reference_model import ReferenceModel
    done = support.run("attend", translator, "--source", "the old man sees the house",
                       "--cache-max", most, "--max-len", 12)
    sentence = json.loads(done.stdout)["sentences"][0]
    reference = ReferenceModel(support.checkpoint(translator, "best"))
    first = min(4, most // 2)
    length = len(sentence["target"]["ids"])
    kept = torch.tensor([[k <= q and (k < first or q - k < most - first) for k in range(length)]
                         for q in range(length)])
    plain = reference.multi_head
    reference.multi_head = lambda name, query, memory, allowed, kind, layer: plain(
        name, query, memory, kept if kind == "decoder" else allowed, kind, layer)
    memory = reference.encode(sentence["source"]["ids"])
    reference.decode(sentence["target"]["input_ids"], memory)
    expected = {(kind, layer, head): weights[head] for kind, layer, weights in reference.attention
                for head in range(weights.shape[0])}
    for entry in sentence["attention"]:
        shown = torch.tensor(entry["weights"], dtype=torch.float64)
        place = entry["kind"], entry["layer"], entry["head"]
        assert (shown - expected[place]).abs().max() < 1e-5, place
        if entry["kind"] == "decoder":
            assert shown[~kept].abs().sum() == 0


def test_what_a_linear_model_keeps_can_be_neither_bounded_nor_rounded(tmp_path):
    run = support.train(tmp_path, "translate", model={"attention": {"type": "linear"}},
                        train={"max_steps": 2})
    for options in (("--cache-max", 3), ("--cache-precision", "int8")):
        for command in (("translate", run), ("attend", run, "--source", "the cat"),
                        ("explain", run, "--source", "the cat")):
            fault = support.refused(*command, *options, stdin="the cat\n", code=2)
            assert f"{options[0]}: model.attention.type 'linear' keeps two sums" in fault
    fault = support.refused("verify", tmp_path / "run.json", "--set", "decode.cache_max=3", code=2)
    assert "decode.cache_max: model.attention.type 'linear'" in fault


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
    fault = support.refused("verify", file, "--set", 'model.attention.global_tokens=["<s>"]', code=2)
    assert "model.attention.global_tokens: no source holds '<s>'" in fault


def test_longformer_without_global_tokens_is_said_to_be_a_window(tmp_path):
    edits = ("--set", "model.attention.type=longformer")
    file = support.write_config(tmp_path, support.config("translate"))
    done = support.run("verify", file, *edits)
    assert done.stderr.decode().count("warning: ") == 1
    assert "model.attention.type: 'longformer' without" in done.stderr.decode()
