"""Recurrent models are trained, resumed, searched, shown and checked by the commands of all others."""
import json

import pytest

torch = pytest.importorskip("torch")  # an existing LibTorch has no Python side

import support  # noqa: E402
from attention_test import TEXTS, attend, same_weights, sound_side  # noqa: E402
from reference_rnn import ReferenceRnn  # noqa: E402

MODELS = {
    "gru": {},
    "lstm": {"tie": "softmax", "dec_layers": 1,
             "rnn": {"cell": "lstm", "attention": "general", "init": "last"}},
    "fed": {"tie": "all", "rnn": {"cell": "lstm", "attention": "dot", "input_feeding": True,
                                  "state_dropout": 0.1}},
    "norm": {"enc_layers": 1, "attention": {"dropout": 0.1},
             "rnn": {"layer_norm": True, "bidirectional": False, "init": "zero",
                     "attention": "general"}},
    "lstm_norm": {"rnn": {"cell": "lstm", "layer_norm": True, "input_feeding": True}},
}


def train(folder, task, name, run="run", **sections):
    """As support.train, of a recurrent model."""
    model = {"type": "rnn", "d_model": 16, "enc_layers": 2, "dropout": 0.1, **MODELS[name]}
    if task == "translate":
        model = {"dec_layers": 2, **model}
    else:
        model = {key: value for key, value in model.items() if key not in ("tie", "dec_layers")}
        decoder = ("attention", "init", "input_feeding")
        model["rnn"] = {k: v for k, v in model.get("rnn", {}).items() if k not in decoder}
    value = support.config(task, **sections)
    value["model"] = model
    value["tokenizer"]["shared"] = model.get("tie") == "all"
    support.write_data(folder, task)
    file = support.write_config(folder, value, f"{run}.json")
    done = support.run("train", file, "--run", folder / run)
    return folder / run, file, done.stderr.decode()


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("task", ["translate", "classify"])
def test_a_resumed_run_is_bit_equal(task, name, tmp_path):
    straight, file, _ = train(tmp_path, task, name, "straight")
    run = tmp_path / "halved"
    support.run("train", file, "--run", run, "--set", "train.max_steps=30")
    support.run("train", file, "--run", run, "--resume")
    for tensors in ("model.safetensors", "optimizer.safetensors"):
        left = (support.checkpoint(straight) / tensors).read_bytes()
        assert left == (support.checkpoint(run) / tensors).read_bytes(), tensors


@pytest.mark.parametrize("name", MODELS)
def test_a_translation_is_computed_again(name, tmp_path):
    run_dir, _, _ = train(tmp_path, "translate", name)
    pieces = support.target_pieces(run_dir)
    document = attend(run_dir, tmp_path, TEXTS["translate"])
    dec_layers = MODELS[name].get("dec_layers", 2)
    assert document["model"] == {"type": "rnn", "enc_layers": MODELS[name].get("enc_layers", 2),
                                 "dec_layers": dec_layers, "heads": 1}
    for text, sentence in zip(TEXTS["translate"], document["sentences"], strict=True):
        source, target = sentence["source"], sentence["target"]
        sound_side(source)
        sound_side(target)
        assert {a["kind"] for a in sentence["attention"]} == {"cross"}
        reference = ReferenceRnn(run_dir / "checkpoints" / document["checkpoint"])
        features = reference.decode(target["input_ids"], reference.encode(source["ids"]))
        same_weights(sentence, reference)
        log_p = reference.log_probabilities(features, pieces)
        scores = log_p.gather(-1, torch.tensor(target["ids"])[:, None]).squeeze(-1)
        assert (scores - torch.tensor(target["token_scores"])).abs().max() < 1e-4


@pytest.mark.parametrize("name", MODELS)
def test_a_classification_is_computed_again(name, tmp_path):
    run_dir, _, _ = train(tmp_path, "classify", name)
    document = attend(run_dir, tmp_path, TEXTS["classify"])
    for sentence in document["sentences"]:
        assert sentence["target"] is None
        assert [(a["kind"], len(a["weights"])) for a in sentence["attention"]] == [("cross", 1)]
        reference = ReferenceRnn(run_dir / "checkpoints" / document["checkpoint"])
        logits = reference.classify(sentence["source"]["ids"])
        same_weights(sentence, reference)
        expected = torch.softmax(logits, -1).sort(descending=True).values
        shown = sentence["prediction"]["probabilities"]
        assert (expected - torch.tensor(shown)).abs().max() < 1e-5


@pytest.mark.parametrize("name", MODELS)
def test_the_search_does_not_depend_on_the_batch_and_the_model_learns(name, tmp_path):
    run, _, _ = train(tmp_path, "translate", name, train={"max_steps": 200, "eval_every": 200})
    lines = (tmp_path / "test.en").read_bytes()
    together = support.run("translate", run, "--n-best", 2, stdin=lines).stdout.decode()
    alone = support.run("translate", run, "--n-best", 2, "--batch-size", 1,
                        stdin=lines).stdout.decode()
    for a, b in zip(together.splitlines(), alone.splitlines(), strict=True):
        (line, text, score), (other, same, near) = a.split(" ||| "), b.split(" ||| ")
        assert (line, text) == (other, same)
        assert abs(float(score) - float(near)) < 1e-4
    found = json.loads(support.run("eval", run, "--split", "test", "--json").stdout)
    assert found["ppl"] < 12 and found["bleu"] > 10, found


def test_blank_lines_stay_blank_and_lines_are_those_of_single_sentences(tmp_path):
    for task, command in (("translate", "translate"), ("classify", "classify")):
        run, _, _ = train(tmp_path, task, "gru", task)
        text = "the cat sees you\n\n   \na dog\n"
        lines = support.run(command, run, stdin=text).stdout.decode().split("\n")
        assert len(lines) == 5 and lines[1] == lines[2] == lines[4] == ""
        for index, line in ((0, "the cat sees you\n"), (3, "a dog\n")):
            assert support.run(command, run, stdin=line).stdout.decode() == lines[index] + "\n"


def test_weights_of_a_batch_are_as_long_as_each_sentence(tmp_path):
    run, _, _ = train(tmp_path, "translate", "gru")
    texts = ["the dog", "the old man sees my sister and a bird"]
    for text, sentence in zip(texts, attend(run, tmp_path, texts)["sentences"], strict=True):
        for entry in sentence["attention"]:
            for row in entry["weights"]:
                assert len(row) == len(text.split()) + 1
                assert abs(sum(row) - 1) < 1e-5


def test_training_says_which_path_it_takes(tmp_path):
    paths = {"gru": "path     whole sequences, fused cells",
             "norm": "path     whole sequences, plain cells for layer norm",
             "fed": "path     the encoder whole sequences, the decoder step by step for input feeding"}
    for name, expected in paths.items():
        run, _, errors = train(tmp_path, "translate", name, name, train={"max_steps": 2})
        assert expected in errors, errors
        assert expected in (run / "train.log").read_text()
    assert "model    rnn · 2 + 2 layers · gru, additive attention" in (
        tmp_path / "gru" / "train.log").read_text()


@pytest.mark.parametrize("task", ["translate", "classify"])
def test_verify_runs_what_applies_and_says_why_the_rest_does_not(task, tmp_path):
    run, _, _ = train(tmp_path, task, "gru")
    found = json.loads(support.run("verify", run, "--json").stdout)
    assert found["failed"] == 0
    checks = {check["name"]: check for check in found["checks"]}
    for name in ("without positions, order changes nothing",
                 "one head equals the single-head formula",
                 "std of scores, input of unit variance",
                 "fresh query, key and value projections differ"):
        assert checks[name]["result"] == "n/a" and checks[name]["reason"], checks[name]
    for name in ("rows of weights sum to 1, or to 0 without keys", "hidden weights are 0",
                 "tokens in the padding change nothing", "a text alone equals the text in a batch",
                 "parameters without a gradient", "saved and reloaded predicts the same"):
        assert checks[name]["result"] == "pass", checks[name]


@pytest.mark.parametrize("task, edits, attention", [
    ("translate", ["rnn.cell=lstm", "rnn.attention=general", "rnn.input_feeding=true"],
     "lstm, general attention"),
    ("translate", ["rnn.init=last", "rnn.layer_norm=true", "rnn.attention=dot"],
     "gru, dot attention"),
    ("classify", ["rnn.bidirectional=false", "rnn.cell=lstm", "attention.dropout=0.2"],
     "lstm, attention pooling"),
])
def test_fresh_recurrent_models_of_every_kind_pass_the_checklist(task, edits, attention, tmp_path):
    support.write_data(tmp_path, task)
    value = {**support.config(task), "model": {"type": "rnn", "d_model": 16, "enc_layers": 2}}
    file = support.write_config(tmp_path, value)
    sets = [part for edit in edits for part in ("--set", f"model.{edit}")]
    report = json.loads(support.run("verify", file, *sets, "--json").stdout)
    assert report["failed"] == 0
    reasons = {check["name"]: check["reason"] for check in report["checks"]}
    future = reasons["later tokens change nothing before them"]
    assert future == ("a classifier pools its whole text" if task == "classify" else None)
    assert attention in support.run("verify", file, *sets).stdout.decode()


def test_explain_shows_the_step_of_a_recurrent_model(tmp_path):
    for task, formula in (("translate", "score = v · tanh(q + k)"), ("classify", "score = q · k")):
        run, _, _ = train(tmp_path, task, "gru", task)
        args = ("explain", run, "--source", "the cat sees you", "--kind", "cross", "--layer", 0,
                "--head", 0, "--token", 0)
        text = support.run(*args).stdout.decode()
        assert formula in text, text
        found = json.loads(support.run(*args, "--json").stdout)
        assert abs(sum(found["weights"]) - 1) < 1e-5


def test_info_names_cells_and_attention(tmp_path):
    run, _, _ = train(tmp_path, "translate", "lstm")
    text = support.run("info", run).stdout.decode()
    assert "rnn · 2 + 1 layers · lstm, general attention · d_model 16 · both directions" in text
    run, _, _ = train(tmp_path, "classify", "lstm", "labels")
    assert "rnn · 2 layers · lstm, attention pooling" in support.run("info", run).stdout.decode()


@pytest.mark.parametrize("edits, expected", [
    (["model.heads=4"], "model.heads: has no meaning under \"model.type\": \"rnn\""),
    (["model.attention.type=window"], "model.attention.type: has no meaning"),
    (["model.d_model=15"], "model.d_model: two directions share it, so it must be even, got 15"),
    (["model.rnn.cell=gruu"], "model.rnn.cell: there is no 'gruu'; did you mean 'gru'?"),
    (["model.rnn.heads=2"], "model.rnn.heads: unknown key"),
    (["model.cell=gru"], "did you mean model.rnn.cell? Here are type, d_model, enc_layers, "),
    (["decode.cache_max=8"], "decode.cache_max: has no meaning"),
    (["model.type=transformer"], "model.rnn: has no meaning under \"model.type\": \"transformer\""),
])
def test_what_makes_no_sense_is_refused_before_any_work(edits, expected, tmp_path):
    support.write_data(tmp_path, "translate")
    value = support.config("translate")
    value["model"] = {"type": "rnn", "d_model": 16, "rnn": {"cell": "gru"}}
    file = support.write_config(tmp_path, value)
    sets = [part for edit in edits for part in ("--set", edit)]
    error = support.refused("train", file, "--run", tmp_path / "run", *sets, code=2)
    assert expected in error, error
    assert not (tmp_path / "run").exists()


def test_caches_are_refused_where_there_is_one_state(tmp_path):
    run, _, _ = train(tmp_path, "translate", "gru", train={"max_steps": 2})
    error = support.refused("translate", run, "--cache-max", 8, stdin="the cat\n", code=2)
    assert "a recurrent model keeps one state" in error
