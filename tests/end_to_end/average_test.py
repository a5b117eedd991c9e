"""heed average: the mean of the last checkpoints, tied weights saved once and counted once."""
import ctypes
import ctypes.util
import json

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

import support


@pytest.fixture(scope="module")
def tied(tmp_path_factory):
    """Source, target and output matrices are one; checkpoints of steps 30 and 60."""
    return support.train(tmp_path_factory.mktemp("tied"), "translate", tokenizer={"shared": True},
                         model={"tie": "all", "positions": "learned"})


def tensors(checkpoint):
    return load_file(checkpoint / "model.safetensors")


def average(run_dir, count):
    done = support.run("average", run_dir, "--last", count)
    return run_dir.parent / done.stdout.decode().removesuffix("\n")


def assert_equal(a, b):
    assert a.keys() == b.keys()
    for name in a:
        assert a[name].dtype == b[name].dtype and np.array_equal(a[name], b[name]), name


def test_tied_matrices_are_saved_once(tied):
    saved = tensors(support.checkpoint(tied))
    pieces = support.target_pieces(tied)
    assert [name for name, tensor in saved.items() if tensor.shape == (pieces, 16)] == [
        "embed_tokens.weight"]
    contents = [tensor.tobytes() for tensor in saved.values() if tensor.ndim == 2]
    assert len(set(contents)) == len(contents)


def test_the_average_of_one_checkpoint_is_that_checkpoint(tied):
    made = average(tied, 1)
    assert_equal(tensors(made), tensors(tied / "checkpoints" / "step-000060"))
    lines = (tied.parent / "test.en").read_bytes()
    found = [support.run("translate", tied, "--checkpoint", which, stdin=lines).stdout
             for which in (made, "last")]
    assert found[0] == found[1] and found[0].count(b"\n") == 30


def test_the_average_of_two_is_their_mean_and_translates(tied):
    made = average(tied, 2)
    first, second = (tensors(tied / "checkpoints" / f"step-{step:06d}") for step in (30, 60))
    assert any(not np.array_equal(first[name], second[name]) for name in first)
    mean = {name: ((first[name].astype(np.float64) + second[name]) / 2).astype(first[name].dtype)
            for name in first}
    assert_equal(tensors(made), mean)
    lines = (tied.parent / "test.en").read_bytes()
    by_path, by_name = (support.run("translate", tied, "--checkpoint", which, stdin=lines).stdout
                        for which in (made, made.name))
    assert by_path == by_name and by_path.count(b"\n") == 30
    scores = json.loads(support.run("eval", tied, "--checkpoint", made, "--json").stdout)
    assert np.isfinite(scores["loss"])


def test_an_average_is_no_step_of_the_training(tied):
    before = {name: (tied / name).read_bytes() for name in ("last.json", "best.json")}
    average(tied, 2)
    again = average(tied, 2)  # over what is there
    assert sorted(p.name for p in (tied / "checkpoints").iterdir() if "step" in p.name) == [
        "step-000030", "step-000060"]
    assert again.is_dir() and not list((tied / "checkpoints").glob("*.partial"))
    assert before == {name: (tied / name).read_bytes() for name in before}
    newest = support.run("eval", tied, "--checkpoint", "last", "--json").stdout
    step = support.run("eval", tied, "--checkpoint", "step-60", "--json").stdout
    assert json.loads(newest)["loss"] == json.loads(step)["loss"]


def test_more_checkpoints_than_there_are_are_refused(tied):
    error = support.refused("average", tied, "--last", 3, code=1)
    assert "2" in error and "3" in error
    support.refused("average", tied, "--last", -1, code=2)
    assert "nothing" in support.refused("average", tied / "nothing", "--last", 1, code=1)


class Hash128(ctypes.Structure):
    _fields_ = [("low", ctypes.c_uint64), ("high", ctypes.c_uint64)]


def checksum(content):
    """That of MANIFEST.json: XXH3, 128 bits, by the library itself."""
    hashed = ctypes.CDLL(ctypes.util.find_library("xxhash")).XXH3_128bits
    hashed.restype, hashed.argtypes = Hash128, [ctypes.c_char_p, ctypes.c_size_t]
    value = hashed(content, len(content))
    return f"{value.high:016x}{value.low:016x}"


def rewrite(checkpoint, change):
    """Puts change(its tensors) in place of a checkpoint's tensors."""
    file = checkpoint / "model.safetensors"
    save_file(change(tensors(checkpoint)), file)
    entry = {"size": file.stat().st_size, "checksum": checksum(file.read_bytes())}
    support.edit_json(checkpoint / "MANIFEST.json",
                      lambda manifest: manifest["files"].update({file.name: entry}))


@pytest.mark.skipif(not ctypes.util.find_library("xxhash"), reason="no libxxhash to load")
def test_one_and_three_make_two_and_integers_stay_as_they_are(tmp_path):
    run_dir = support.train(tmp_path, "translate", model={"tie": "all"}, tokenizer={"shared": True})
    big = 2**53 + 1  # no double holds it
    for step, weight, count in ((30, 1, 5), (60, 3, big)):
        rewrite(run_dir / "checkpoints" / f"step-{step:06d}", lambda saved: {
            **{name: np.full_like(tensor, weight) for name, tensor in saved.items()},
            "steps_seen": np.array([count, -count], np.int64)})
    averaged = tensors(average(run_dir, 2))
    assert averaged.pop("steps_seen").tolist() == [big, -big]
    for name, tensor in averaged.items():
        assert np.array_equal(tensor, np.full_like(tensor, 2)), name


def assert_whole(checkpoint):
    """Every file of the manifest is there in full, and its tensors can be read."""
    files = json.loads((checkpoint / "MANIFEST.json").read_text())["files"]
    assert {*files, "MANIFEST.json"} == {file.name for file in checkpoint.iterdir()}
    for name, entry in files.items():
        assert (checkpoint / name).stat().st_size == entry["size"]
    for name in ("model.safetensors", "optimizer.safetensors"):
        assert load_file(checkpoint / name)


def test_averaging_while_a_training_saves_disturbs_neither(tmp_path):
    """A checkpoint a step, and averages as fast as they can be made."""
    sections = {"train": {"max_steps": 100, "eval_every": 100},
                "checkpoint": {"every": 1, "keep_last": 20}}
    support.write_data(tmp_path, "translate")
    file = support.write_config(tmp_path, support.config("translate", **sections))
    run_dir = tmp_path / "run"
    made = 0
    with open(tmp_path / "errors.txt", "wb") as errors:  # more than a pipe holds
        process = support.start("train", file, "--run", run_dir, stderr=errors)
        support.wait_for_step(process, run_dir, 5)
        while process.poll() is None:
            done = support.run("average", run_dir, "--last", 2, code=None)
            if done.returncode != 0:
                process.kill()
                process.wait()
            assert done.returncode == 0, (made, done.stderr.decode())
            made += 1
    assert process.returncode == 0, (tmp_path / "errors.txt").read_text()[-1000:]
    assert made > 3
    saved = sorted(run_dir.glob("checkpoints/step-*"))
    assert [path.name for path in saved] == [f"step-{step:06d}" for step in range(81, 101)]
    for checkpoint in saved:
        assert_whole(checkpoint)
    support.run("average", run_dir, "--last", 20)  # reads all of them
    support.run("train", file, "--run", run_dir, "--resume", "--set", "train.max_steps=102")
