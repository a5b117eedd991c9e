"""Numbers are read and written alike in every locale, one with a decimal comma included."""
import json
import subprocess

import pytest

import support

NAMES = subprocess.run(["locale", "-a"], capture_output=True, text=True).stdout.split()
COMMA = next((name for name in NAMES if name.lower().replace("-", "") == "de_de.utf8"), None)
pytestmark = pytest.mark.skipif(COMMA is None, reason="no locale de_DE.UTF-8; setup.sh installs it")
TIMES = ("seconds", "tokens_per_second", "phases", "peak_memory_mb")


def in_both(*args, **more):
    """-> stdout under C.UTF-8 and under German."""
    return [support.run(*args, environment={"LC_ALL": name, "LANG": name, "LC_NUMERIC": name},
                        **more).stdout for name in ("C.UTF-8", COMMA or "")]


def untimed(item):
    return {key: value for key, value in item.items() if key not in TIMES}


@pytest.fixture(scope="module", params=["translate", "classify"])
def runs(request, tmp_path_factory):
    """The same training under both."""
    folder = tmp_path_factory.mktemp(request.param)
    support.write_data(folder, request.param)
    file = support.write_config(folder, support.config(request.param))
    for name, directory in (("C.UTF-8", "plain"), (COMMA, "german")):
        support.run("train", file, "--run", folder / directory, "--set", "train.lr=0.0175",
                    "--set", "data.max_len=1000", environment={"LC_ALL": name})
    return folder / "plain", folder / "german"


def test_the_locale_has_a_decimal_comma():
    shown = subprocess.run(["locale", "decimal_point"], capture_output=True, text=True,
                           env={**support.ENVIRONMENT, "LC_ALL": COMMA}).stdout
    assert shown == ",\n"


def test_a_training_is_the_same(runs):
    plain, german = runs
    config = json.loads((german / "config.json").read_text("utf-8"))
    assert config["train"]["lr"] == 0.0175 and config["model"]["dropout"] == 0.1
    assert config["data"]["max_len"] == 1000
    for name in ("config.json", "best.json", "last.json"):
        assert (plain / name).read_bytes() == (german / name).read_bytes()
    for name in ("model.safetensors", "optimizer.safetensors", "config.json"):
        left, right = ((support.checkpoint(run_dir) / name).read_bytes() for run_dir in runs)
        assert left == right, name
    for event in ("step", "eval"):
        left, right = (support.metrics(run_dir, event) for run_dir in runs)
        assert left and list(map(untimed, left)) == list(map(untimed, right))


def test_evaluation_and_attention_are_the_same(runs, tmp_path):
    _, german = runs
    scores = [untimed(json.loads(out)) for out in in_both("eval", german, "--json")]
    assert scores[0] == scores[1] and 0 < scores[0]["loss"] < 10
    plain, comma = in_both("attend", german, "--source", "the cat sees one second first you")
    assert plain == comma and json.loads(plain)["sentences"][0]["attention"][0]["weights"]


def test_results_are_the_same(runs):
    _, german = runs
    if (german / "labels.json").exists():
        commands = [("classify", german, "--json"), ("classify", german, "--top-k", 2)]
    else:
        commands = [("translate", german, "--n-best", 2, "--length-penalty", "0.5")]
    for args in commands:
        plain, comma = in_both(*args, stdin="the cat sees one\nfirst you second\n")
        assert plain == comma and b"0." in plain


def test_scores_of_files_are_the_same(tmp_path):
    (tmp_path / "h").write_text("the cat sat on a mat\n" * 1500, "utf-8")
    (tmp_path / "r").write_text("the cat sat on the mat\n" * 1500, "utf-8")
    files = ("--hypothesis", tmp_path / "h", "--reference", tmp_path / "r")
    plain, comma = in_both("score", *files, "--json")
    assert plain == comma and json.loads(plain)["bleu"] == pytest.approx(53.73, abs=0.005)
    plain, comma = in_both("score", *files)
    assert plain == comma and b"53.73" in plain


def test_rates_are_json(tmp_path):
    support.write_data(tmp_path, "translate")
    file = support.write_config(tmp_path, support.config("translate"))
    for out in in_both("bench", "train", "--config", file, "--steps", 2, "--json"):
        assert json.loads(out)["tokens_per_second"] > 0
