"""Every config in configs/ is whole, trains, and has no room for a misspelt key."""
import importlib.util
import json
import os
from pathlib import Path

import pytest

import support

CONFIGS = sorted((support.ROOT / "configs").glob("*.json"))
SMALL = ("--set", "train.max_steps=1", "--set", "train.batch_tokens=128", "--set", "data.valid={}",
         "--set", "data.test={}")


def names(value, path=()):
    for key, inner in value.items():
        if isinstance(inner, dict):
            yield from names(inner, (*path, key))
        yield (*path, key)


@pytest.fixture(autouse=True)
def data_folder(monkeypatch):
    monkeypatch.setitem(support.ENVIRONMENT, "HEED_DATA",
                        os.environ.get("HEED_DATA", str(support.ROOT / "data")))


def files_of(value):
    return [value] if isinstance(value, str) else value


def missing_data(config):
    """The training files that lie neither in HEED_DATA nor in data/: public sets that
    scripts/get_data.sh fetches."""
    folder = Path(support.ENVIRONMENT["HEED_DATA"])
    return [name for value in config["data"]["train"].values() for name in files_of(value)
            if not (folder / name).exists() and not (support.ROOT / "data" / name).exists()]


def public_sets():
    """What scripts/get_data.sh fetches: name -> folder."""
    file = support.ROOT / "scripts" / "data" / "get.py"
    spec = importlib.util.spec_from_file_location("get", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return {name: folder for name, (folder, *_) in module.SETS.items()}


TOY_FOLDERS = {"copy", "reverse", "toy_classification", "toy_translation"}


@pytest.mark.parametrize("file", CONFIGS, ids=lambda f: f.stem)
def test_its_data_is_there_or_can_be_fetched_by_its_name(file):
    train = json.loads(file.read_text())["data"]["train"]
    folders = {Path(name).parts[0] for value in train.values() for name in files_of(value)}
    if not folders <= TOY_FOLDERS:
        assert folders == {public_sets()[file.stem]}


@pytest.mark.parametrize("file", CONFIGS, ids=lambda f: f.stem)
def test_it_trains_a_step(file, tmp_path):
    if missing := missing_data(json.loads(file.read_text())):
        pytest.skip(f"{missing[0]} is not there; scripts/get_data.sh fetches it")
    support.run("train", file, "--run", tmp_path / "run", *SMALL, cwd=support.ROOT)
    resolved = json.loads((tmp_path / "run" / "config.json").read_text())
    written = json.loads(file.read_text())
    assert set(names(written)) <= set(names(resolved))


@pytest.mark.parametrize("file", CONFIGS, ids=lambda f: f.stem)
def test_a_misspelt_key_is_refused(file, tmp_path):
    copy = json.loads(file.read_text())
    last = {path[:-1]: path for path in names(copy)}.values()  # of each section
    path = list(last)[CONFIGS.index(file) % len(last)]  # another section for each file
    inner = copy
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1] + "_"] = inner.pop(path[-1])
    misspelt = support.write_config(tmp_path, copy)
    done = support.run("train", misspelt, "--run", tmp_path / "run", code=2)
    assert path[-1] + "_" in support.one_line_error(done)
    assert not (tmp_path / "run").exists()
