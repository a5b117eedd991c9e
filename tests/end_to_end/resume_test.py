"""A training that is stopped and resumed ends bit-equal to one that was not."""
import json
import shutil
import signal

import pytest

import support

STEPS = {"max_steps": 400, "eval_every": 100}
FILES = ("model.safetensors", "optimizer.safetensors")


def losses(run_dir):
    return [(m["step"], m["epoch"], m["loss"], m["lr"], m["grad_norm"])
            for m in support.metrics(run_dir, "step")]


def evaluations(run_dir):
    return [(m["step"], m["loss"]) for m in support.metrics(run_dir, "eval")]


def assert_same_training(a, b):
    for name in FILES:
        left = (support.checkpoint(a) / name).read_bytes()
        assert left == (support.checkpoint(b) / name).read_bytes(), name
    states = [json.loads((support.checkpoint(r) / "state.json").read_text()) for r in (a, b)]
    for state in states:
        state.pop("seconds")
    assert states[0] == states[1]
    assert losses(a) == losses(b)
    assert evaluations(a) == evaluations(b)


def stop_at(step, sent, folder, file, name, *more):
    process = support.start("train", file, "--run", folder / name, *more)
    support.wait_for_step(process, folder / name, step)
    process.send_signal(sent)
    process.communicate(timeout=60)
    return process.returncode


@pytest.mark.parametrize("task", ["translate", "classify"])
def test_interrupted_twice_and_resumed_equals_the_straight_run(task, tmp_path):
    straight = support.train(tmp_path, task, "straight", train=STEPS)
    file = tmp_path / "straight.json"
    assert stop_at(33, signal.SIGINT, tmp_path, file, "stopped") == 130
    first = json.loads((tmp_path / "stopped" / "last.json").read_text())["step"]
    assert 33 <= first < 400
    assert stop_at(first + 50, signal.SIGTERM, tmp_path, file, "stopped", "--resume") == 143
    support.run("train", file, "--run", tmp_path / "stopped", "--resume")
    assert_same_training(straight, tmp_path / "stopped")


def test_killed_outright_it_goes_on_from_the_last_checkpoint(tmp_path):
    sections = {"train": STEPS, "checkpoint": {"every": 7}}
    straight = support.train(tmp_path, "translate", "straight", **sections)
    file = tmp_path / "straight.json"
    assert stop_at(40, signal.SIGKILL, tmp_path, file, "killed") == -signal.SIGKILL
    support.run("train", file, "--run", tmp_path / "killed", "--resume")
    assert_same_training(straight, tmp_path / "killed")


def test_accumulated_steps_resume_equal_too(tmp_path):
    sections = {"train": {**STEPS, "accumulate": 3}}
    straight = support.train(tmp_path, "translate", "straight", **sections)
    file = tmp_path / "straight.json"
    assert stop_at(20, signal.SIGINT, tmp_path, file, "stopped") == 130
    support.run("train", file, "--run", tmp_path / "stopped", "--resume")
    assert_same_training(straight, tmp_path / "stopped")


def test_tied_matrices_are_still_one_after_a_resume(tmp_path):
    sections = {"train": {"max_steps": 150, "eval_every": 50}, "model": {"tie": "all"},
                "tokenizer": {"shared": True}}
    straight = support.train(tmp_path, "translate", "straight", **sections)
    file = tmp_path / "straight.json"
    assert stop_at(20, signal.SIGINT, tmp_path, file, "stopped") == 130
    support.run("train", file, "--run", tmp_path / "stopped", "--resume")
    assert_same_training(straight, tmp_path / "stopped")


def test_the_same_config_trains_bit_equal_and_another_seed_does_not(tmp_path):
    runs = [support.train(tmp_path, "translate", name) for name in ("a", "b")]
    assert_same_training(*runs)
    other = support.train(tmp_path, "translate", "c", seed=4)
    weights = [(support.checkpoint(r) / "model.safetensors").read_bytes() for r in (runs[0], other)]
    assert weights[0] != weights[1]
    assert losses(runs[0]) != losses(other)


def test_an_existing_run_is_neither_overwritten_nor_resumed_unasked(tmp_path):
    run_dir = support.train(tmp_path, "translate")
    before = (support.checkpoint(run_dir) / "model.safetensors").read_bytes()
    done = support.run("train", tmp_path / "run.json", "--run", run_dir, code=None)
    assert done.returncode in (1, 2)
    error = support.one_line_error(done)
    assert "--resume" in error and "--overwrite" in error
    assert (support.checkpoint(run_dir) / "model.safetensors").read_bytes() == before


def test_a_run_that_never_saved_can_be_started_anew(tmp_path):
    run_dir = support.train(tmp_path, "translate")
    shutil.rmtree(run_dir / "checkpoints")
    for name in ("best.json", "last.json"):
        (run_dir / name).unlink()
    support.run("train", tmp_path / "run.json", "--run", run_dir, "--overwrite")
    assert support.checkpoint(run_dir).is_dir()
