"""Models with positions inside attention, other blocks and other scores: resumed, searched with
caches, evaluated; and what makes no sense is refused before any work."""
import json

import pytest

import support

RICH = {"positions": "relative", "norm": "rms", "activation": "swiglu", "head_dim": 6, "heads": 4,
        "kv_heads": 2, "init": "small", "attention": {"value_dim": 5, "dropout": 0.1}}
ROTARY = {"positions": "rotary", "residual_scale": 0.7, "head_dim": 6,
          "attention": {"value_dim": 8, "out_proj": False}}
SINGLE = {"positions": "alibi", "heads": 1, "attention": {"type": "single_head"}}
MODELS = {"rich": RICH, "rotary": ROTARY, "single": SINGLE}


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("task", ["translate", "classify"])
def test_a_resumed_run_is_bit_equal(task, name, tmp_path):
    straight = support.train(tmp_path, task, "straight", model=MODELS[name])
    file = tmp_path / "straight.json"
    run = tmp_path / "halved"
    support.run("train", file, "--run", run, "--set", "train.max_steps=30")
    support.run("train", file, "--run", run, "--resume")
    for tensors in ("model.safetensors", "optimizer.safetensors"):
        left = (support.checkpoint(straight) / tensors).read_bytes()
        assert left == (support.checkpoint(run) / tensors).read_bytes(), tensors


@pytest.mark.parametrize("positions, scaling", [
    ("rotary", "linear"), ("rotary", "ntk"), ("sinusoidal", "ntk"), ("learned", "linear")])
def test_a_trained_model_goes_on_with_longer_texts(positions, scaling, tmp_path):
    run = support.train(tmp_path, "translate", model={"positions": positions},
                        train={"max_steps": 20})
    longer = ("--set", "train.max_steps=30", "--set", "data.max_len=60")
    scaled = ("--set", f"model.position_scaling={scaling}", "--set", "model.position_factor=2")
    args = ("train", tmp_path / "run.json", "--run", run, "--resume", *longer)
    assert "data.max_len: is 60, but the run to resume has 30" in support.refused(*args, code=2)
    support.run(*args, *scaled)
    assert json.loads((run / "config.json").read_text())["data"]["max_len"] == 60
    text = " ".join(["the cat sees a bird"] * 11)  # 55 tokens
    assert len(support.run("translate", run, stdin=text + "\n").stdout.splitlines()) == 1


@pytest.mark.parametrize("name", MODELS)
def test_the_cached_search_does_not_depend_on_the_batch_and_learns(name, tmp_path):
    run = support.train(tmp_path, "translate", model=MODELS[name],
                        train={"max_steps": 150, "eval_every": 150})
    lines = (tmp_path / "test.en").read_bytes()
    together = support.run("translate", run, "--n-best", 2, stdin=lines).stdout.decode()
    alone = support.run("translate", run, "--n-best", 2, "--batch-size", 1,
                        stdin=lines).stdout.decode()
    for a, b in zip(together.splitlines(), alone.splitlines(), strict=True):
        (line, text, score), (other, same, near) = a.split(" ||| "), b.split(" ||| ")
        assert (line, text) == (other, same)
        assert abs(float(score) - float(near)) < 1e-4
    found = json.loads(support.run("eval", run, "--split", "test", "--json").stdout)
    assert found["ppl"] < 12 and found["bleu"] > 10, found  # a uniform guess has about 25 pieces


@pytest.mark.parametrize("edits, expected", [
    (["model.heads=3"], "model.heads: 3 heads do not divide model.d_model"),
    (["model.kv_heads=3", "model.heads=4"], "model.kv_heads: 3 heads do not divide model.heads"),
    (["model.attention.type=window", "model.attention.window=0"],
     "model.attention.window: must be in [1, "),
    (["model.positions=rotary", "model.head_dim=5"], "must be even, got 5"),
    (["model.attention.type=longformer", "model.attention.global_positions=[99]"],
     "no text reaches position 99, since data.max_len is 30"),
    (["model.attention.type=single_head"], "model.heads: must be 1"),
    (["model.attention.type=additive", "model.positions=rotary"], "model.positions: 'rotary' turns"),
    (["model.attention.type=linear", "model.positions=alibi"], "model.positions: 'alibi' adds"),
    (["model.attention.type=linear", "model.attention.dropout=0.1"], "makes no weights to drop"),
    (["model.attention.type=additive", "model.attention.impl=fused"], "has no fused kernel"),
    (["model.attention.out_proj=false", "model.head_dim=5"], "must make up model.d_model"),
    (["model.attention.top_k=3"], "read only where model.attention.type is top_k"),
    (["model.position_scaling=ntk", "model.position_factor=2", "model.positions=alibi"],
     "model.position_scaling: 'ntk' scales"),
    (["model.attention.type=flash"], "model.attention.type: there is no 'flash'"),
])
def test_what_makes_no_sense_is_refused_before_any_work(edits, expected, tmp_path):
    support.write_data(tmp_path, "translate")
    file = support.write_config(tmp_path, support.config("translate"))
    sets = [part for edit in edits for part in ("--set", edit)]
    error = support.refused("train", file, "--run", tmp_path / "run", *sets, code=2)
    assert expected in error, error
    assert not (tmp_path / "run").exists()
