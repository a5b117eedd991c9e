"""What the user gets wrong is answered in one line, with the right exit code and before any work."""
import json

import pytest

import support
from support import refused


@pytest.fixture
def folder(tmp_path):
    support.write_data(tmp_path, "translate")
    return tmp_path


def train_refused(folder, code=2, edits=(), **sections):
    file = support.write_config(folder, support.config("translate", **sections))
    more = [word for edit in edits for word in ("--set", edit)]
    error = refused("train", file, "--run", folder / "run", *more, code=code)
    assert not (folder / "run").exists()
    return error


def test_an_unknown_key_is_answered_with_its_path_and_the_nearest_name(folder):
    error = train_refused(folder, model={"headz": 2})
    assert "small.json" in error and "model.headz" in error and "'heads'" in error


def test_a_key_of_another_section_is_answered_with_that_section(folder):
    assert "train.lr" in train_refused(folder, model={"lr": 0.1})


@pytest.mark.parametrize("section, key, value", [
    ("model", "d_model", "16"), ("model", "d_model", 15), ("model", "d_model", 16.5),
    ("model", "dropout", 1.5), ("model", "dropout", -0.1), ("model", "activation", "tanh"),
    ("model", "norm_position", "middle"), ("model", "positions", "rotary2"), ("model", "tie", "al"),
    ("train", "lr", -1), ("train", "schedule", "linar"), ("train", "batch_tokens", 0),
    ("train", "precision", "int4"), ("train", "optimizer", "adamm"), ("train", "adam_betas", [0.9]),
    ("train", "max_steps", True), ("tokenizer", "type", "words"), ("data", "max_len", 0),
    ("decode", "beam_size", 0), ("decode", "length_penalty", "nan"),
    ("decode", "overlong", "drop"), ("checkpoint", "keep_last", 0),
])
def test_bad_values_are_refused_with_their_path(folder, section, key, value):
    assert key in train_refused(folder, **{section: {key: value}})


def test_edits_get_the_same_checks(folder):
    assert "model.heads" in train_refused(folder, edits=["model.heads=3"])
    assert "trian" in train_refused(folder, edits=["trian.lr=3"])


@pytest.mark.parametrize("section, key, value, expected", [
    ("train", "learning_rte", 0.1, ("unknown", "lr")),
    ("train", "warmup-steps", 10, ("unknown", "warmup_steps")),
    ("model", "lr", 0.1, ("unknown", "train.lr")),
    ("decode", "batch_tokens", 9, ("unknown", "train.batch_tokens")),
    ("train", "batch_tokens", "many", ("integer", '"many"')),
])
def test_a_wrong_key_gets_one_answer_from_the_file_and_from_an_edit(
        section, key, value, expected, folder):
    path = f"{section}.{key}: "
    in_file = train_refused(folder, **{section: {key: value}})
    edited = train_refused(folder, edits=[f"{section}.{key}={value}"])
    answers = [error[error.index(path):] for error in (in_file, edited)]
    assert answers[0] == answers[1]
    assert all(word in answers[0].removeprefix(path) for word in expected), answers[0]
    assert "small.json" in in_file


@pytest.mark.parametrize("edit", ['model.attention={"type": "multi_hed"}',
                                  "model.attention.type=multi_hed"])
def test_a_wrong_attention_is_answered_before_any_work(edit, folder):
    for data in ({}, {"train": {"source": "none.en", "target": "none.de"}}):  # nothing is read yet
        error = train_refused(folder, edits=[edit], data=data)
        assert "model.attention.type" in error and "'multi_head'" in error, error


def test_a_wrong_model_type_is_answered_before_any_work(folder):
    missing = {"train": {"source": "none.en", "target": "none.de"}}
    error = train_refused(folder, model={"type": "transfromer"}, data=missing)
    assert "model.type" in error and "'transformer'" in error, error


def test_broken_json_and_missing_configs_are_named(folder):
    (folder / "broken.json").write_text('{"task": ')
    assert "broken.json" in refused("train", folder / "broken.json", code=2)
    assert "nowhere.json" in support.one_line_error(
        support.run("train", folder / "nowhere.json", code=None))


def test_missing_and_unequal_data_files_are_named(folder):
    error = train_refused(folder, code=None, data={"train": {"source": "none.en", "target": "train.de"}})
    assert "none.en" in error
    (folder / "short.de").write_text("a\nb\n")
    error = train_refused(folder, code=1, data={"train": {"source": "train.en", "target": "short.de"}})
    assert "300" in error and "2" in error


@pytest.mark.parametrize("words, nearest", [
    (("translate", "RUN", "--beam-siz", "3"), "--beam-size"),
    (("translat", "RUN"), "translate"),
    (("eval", "RUN", "--jsn"), "--json"),
    (("score", "--hypotesis", "x", "--reference", "y"), "--hypothesis"),
])
def test_an_unknown_word_is_answered_with_the_nearest(words, nearest, translator):
    args = [str(translator) if word == "RUN" else word for word in words]
    assert nearest in refused(*args, code=2)


@pytest.mark.parametrize("args", [(), ("train",), ("translate", "x", "--beam-size", "many"),
                                  ("translate", "x", "--beam-size", "0"), ("score",),
                                  ("score", "--hypothesis", "a", "--reference", "b", "--tokenize", "14a")])
def test_a_wrong_command_line_exits_2(args):
    refused(*args, code=2)


@pytest.mark.parametrize("command", ["translate", "classify", "eval", "info"])
def test_what_is_no_run_exits_1(command, tmp_path):
    error = refused(command, tmp_path / "nothing", code=1)
    assert "nothing" in error


def test_a_run_of_the_other_task_is_refused(translator, classifier):
    refused("translate", classifier, code=2, stdin=b"a\n")
    refused("classify", translator, code=2, stdin=b"a\n")


def test_missing_input_and_checkpoint_are_named(translator, tmp_path):
    assert "none.txt" in refused("translate", translator, "--input", tmp_path / "none.txt", code=1)
    error = refused("eval", translator, "--checkpoint", "step-7", code=1)
    assert "step-7" in error or "step-000007" in error


def test_a_damaged_checkpoint_is_found(tmp_path):
    run_dir = support.train(tmp_path, "translate", train={"max_steps": 3})
    weights = support.checkpoint(run_dir) / "model.safetensors"
    content = bytearray(weights.read_bytes())
    content[-5] ^= 1
    weights.write_bytes(content)
    assert "model.safetensors" in refused("translate", run_dir, code=1, stdin=b"a\n")
    weights.write_bytes(content[:100])
    assert "model.safetensors" in refused("translate", run_dir, code=1, stdin=b"a\n")


MALFORMED = {
    "empty": (b"", "0 bytes"),
    "short": (b"1234567", "7 bytes"),
    "huge header": (b"\0" * 7 + b"\x80{}", "9223372036854775808 bytes"),
    "header past the end": ((900).to_bytes(8, "little") + b"{}", "900 bytes"),
    "renamed pickle": (b"PK\x03\x04\x14\0\x08\x08\0\0archive/data.pkl", "is no safetensors file"),
    "list": ((2).to_bytes(8, "little") + b"[]", "JSON object"),
    "not covered": ((2).to_bytes(8, "little") + b"{}" + b"\0" * 9, "after the last tensor"),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_weights_are_refused_and_nothing_is_begun(tmp_path, name):
    """Files no manifest vouches for: the weights another tool gave a training to begin with."""
    content, says = MALFORMED[name]
    support.write_data(tmp_path, "translate")
    file = support.write_config(tmp_path, support.config("translate"))
    weights = tmp_path / "given.safetensors"
    weights.write_bytes(content)
    error = refused("train", file, "--run", tmp_path / "run", "--set",
                    f"train.init_from={weights}", code=1)
    assert "given.safetensors" in error and says in error
    assert not (tmp_path / "run").exists()


def test_score_names_both_counts(tmp_path):
    (tmp_path / "h").write_text("a\nb\nc\n")
    (tmp_path / "r").write_text("a\nb\n")
    error = refused("score", "--hypothesis", tmp_path / "h", "--reference", tmp_path / "r", code=1)
    assert "3" in error and "2" in error


def test_help_and_version_go_to_stdout():
    for args in (("--help",), ("translate", "--help"), ("--version",)):
        done = support.run(*args)
        assert done.stdout and not done.stderr


def test_the_resolved_config_stands_in_the_run_and_opens_again(translator, tmp_path):
    resolved = json.loads((translator / "config.json").read_text())
    assert resolved["model"]["d_model"] == 16 and resolved["train"]["clip_norm"] == 1.0
    copy = tmp_path / "copy.json"
    copy.write_text(json.dumps(resolved))
    support.run("train", copy, "--run", tmp_path / "run", "--set", "train.max_steps=1")


def test_freezing_everything_is_refused(folder):
    error = train_refused(folder, edits=['train.freeze=["*"]'])
    assert "train.freeze" in error and "no parameter to train" in error


def test_a_list_names_the_item_that_is_wrong(folder):
    error = train_refused(folder, edits=['train.adam_betas=[0.9,"x"]'])
    assert 'a list whose item 2 is "x"' in error


def test_a_directory_as_data_is_called_one(folder):
    (folder / "texts").mkdir()
    for path in ("texts", str(folder / "texts")):
        error = train_refused(folder, code=1, edits=[f"data.train.source={path}"])
        assert "data.train.source" in error and "is a directory" in error


def test_blank_training_text_is_called_so(folder):
    (folder / "train.en").write_text("\n" * 300)
    error = train_refused(folder, code=1)
    assert "no text to train on" in error and "empty" in error


def test_weights_to_begin_with_that_are_not_there_are_named_by_their_key(folder):
    assert "train.init_from: " in train_refused(folder, code=1, edits=["train.init_from=nope"])


@pytest.mark.parametrize("command", [
    ("translate",), ("eval",), ("info",), ("average",), ("report",), ("attend", "--source", "a"),
    ("verify",)])
def test_what_is_no_run_gets_one_answer(translator, tmp_path, command):
    name, *more = command
    (tmp_path / "file").write_text("a\n")
    (tmp_path / "empty").mkdir()
    said = {"nothing": "no such run", "file": "is no directory", "empty": "has no config.json"}
    places = {tmp_path / place: text for place, text in said.items()}
    if name != "verify":  # which takes a config, too
        places[support.checkpoint(translator)] = "is a checkpoint; name its run"
    else:
        del places[tmp_path / "nothing"], places[tmp_path / "file"]
    for place, text in places.items():
        error = refused(name, place, *more, code=1, stdin=b"")
        assert str(place) in error and text in error, error


@pytest.mark.parametrize("args, named", [
    (("eval", "RUN", "--top-k", 2), "--top-k"), (("eval", "RUN", "--ece-bins", 3), "--ece-bins"),
    (("attend", "RUN", "--source", "a", "--target", "b", "--beam-size", 3), "--beam-size"),
    (("eval", "RUN", "--split", "test", "--source", "a", "--target", "b"), "--split"),
    (("translate", "RUN", "--beam-size", 0), "from 1 to 64"),
    (("translate", "RUN", "--length-penalty", -1), "from 0 to 10"),
    (("translate", "RUN", "--checkpoint", ""), "--checkpoint: is empty"),
    (("translate", ""), "is empty"),
    (("score", "--hypothesis", "a", "--reference", "a", "--seed", -1), "at least 0"),
])
def test_options_that_do_not_fit_are_refused(translator, args, named):
    error = refused(*(str(translator) if arg == "RUN" else arg for arg in args), code=2, stdin=b"")
    assert named in error and len(error) < 200, error


@pytest.mark.parametrize("args", [
    ("eval", "--beam-size", 3), ("eval", "--length-penalty", 2), ("eval", "--cache-precision", "int8"),
    ("attend", "--source", "a", "--beam-size", 3)])
def test_a_classifier_takes_no_option_of_search(classifier, args):
    error = refused(args[0], classifier, *args[1:], code=2)
    assert args[-2] in error and "classifier" in error


def test_an_averaged_checkpoint_goes_on_without_its_optimizer(tmp_path):
    run_dir = support.train(tmp_path, "translate", checkpoint={"every": 20, "keep_last": 3})
    support.run("average", run_dir, "--last", 2)
    words = ("train", tmp_path / "run.json", "--run", run_dir, "--resume", "--from",
             "average-000060-2", "--set", "train.max_steps=61")
    assert "--reset optimizer" in refused(*words, code=1)
    support.run(*words, "--reset", "optimizer")
