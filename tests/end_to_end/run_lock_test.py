"""One training a run directory; what else looks at the directory disturbs nothing."""
import json
import os
import shutil
import signal
import time

import pytest

import support

FILES = ("model.safetensors", "optimizer.safetensors")
STEPS = {"max_steps": 300, "eval_every": 100}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A config and data, and its training undisturbed."""
    folder = tmp_path_factory.mktemp("run_lock")
    support.train(folder, "translate", "straight", train=STEPS)
    return folder


def train(folder, name, *more):
    return ("train", folder / "straight.json", "--run", folder / name, *more)


def finish(process):
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors.decode()[-2000:]


def assert_same_end(a, b):
    for name in FILES:
        assert (support.checkpoint(a) / name).read_bytes() == (
            support.checkpoint(b) / name).read_bytes(), name
    steps = [[m["step"] for m in support.metrics(run_dir, "step")] for run_dir in (a, b)]
    assert steps[0] == steps[1]


@pytest.fixture
def paused(folder):
    """A training that stands still after some steps, with checkpoints behind it."""
    shutil.rmtree(folder / "first", ignore_errors=True)
    process = support.start(*train(folder, "first", "--set", "checkpoint.every=10"))
    support.wait_for_step(process, folder / "first", 25)
    process.send_signal(signal.SIGSTOP)
    yield process
    process.send_signal(signal.SIGCONT)
    process.kill()
    process.communicate()


def contents(run_dir):
    return {file: file.read_bytes() for file in run_dir.rglob("*") if file.is_file()}


@pytest.mark.parametrize("wish", ["--resume", "--overwrite"])
def test_a_second_training_is_refused_and_the_first_goes_on(wish, folder, paused):
    before = contents(folder / "first")
    error = support.refused(*train(folder, "first", wish), code=1)
    assert f"process {paused.pid} " in error and "first" in error
    assert contents(folder / "first") == before
    paused.send_signal(signal.SIGCONT)
    finish(paused)
    assert_same_end(folder / "straight", folder / "first")


def test_the_lock_of_a_killed_training_is_none(folder, paused):
    assert (folder / "first" / ".lock").exists()
    paused.kill()
    paused.communicate()
    assert paused.returncode == -signal.SIGKILL
    support.run(*train(folder, "first", "--resume"))
    assert_same_end(folder / "straight", folder / "first")


def test_a_running_training_can_be_looked_at(folder, paused):
    run_dir = folder / "first"
    assert support.run("translate", run_dir, stdin=b"the cat sees you\n").stdout.count(b"\n") == 1
    assert json.loads(support.run("eval", run_dir, "--json").stdout)["sentences"] == 30
    assert b"step-000020" in support.run("info", run_dir).stdout
    paused.send_signal(signal.SIGCONT)
    finish(paused)
    assert_same_end(folder / "straight", run_dir)


class SlowTraining:
    """One whose source text comes through a pipe, so that it waits for it as long as wanted."""

    def __init__(self, folder, *more):
        self.text = (folder / "train.en").read_bytes()
        pipe = folder / "slow.en"
        pipe.unlink(missing_ok=True)
        os.mkfifo(pipe)
        self.process = support.start(*more, "--set", f"data.train.source={pipe}")
        self.descriptor = self.writer(pipe)

    def writer(self, pipe):
        """Opened as soon as the training opens it to read."""
        end = time.monotonic() + 60
        while time.monotonic() < end:
            assert self.process.poll() is None, self.process.communicate()[1].decode()
            try:
                return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
            except OSError:
                time.sleep(0.01)
        raise AssertionError("the training never read its data")

    def go_on(self):
        """-> its exit code and errors"""
        os.write(self.descriptor, self.text)
        os.close(self.descriptor)
        _, errors = self.process.communicate(timeout=60)
        return self.process.returncode, errors.decode()


def checkpoints(run_dir):
    return {path.name: (path / "MANIFEST.json").read_bytes()
            for path in (run_dir / "checkpoints").iterdir()}


def refused_meanwhile(folder, slow, *more):
    """Another training on the directory that `slow` was given first is refused, and names it."""
    error = support.refused(*train(folder, "first", *more), code=1)
    assert f"process {slow.process.pid} " in error


def test_a_training_that_reads_its_data_holds_its_run_already(folder):
    shutil.rmtree(folder / "first", ignore_errors=True)
    short = ("--set", "train.max_steps=30")
    slow = SlowTraining(folder, *train(folder, "first", *short))
    refused_meanwhile(folder, slow, *short, "--set", "seed=5")
    code, errors = slow.go_on()
    assert code == 0, errors
    assert checkpoints(folder / "first").keys() == {"step-000030"}


def test_a_resume_that_reads_its_data_holds_its_run_already(folder):
    shutil.rmtree(folder / "first", ignore_errors=True)
    keep = ("--set", "checkpoint.keep_last=9", "--set", "train.max_steps=30")
    support.run(*train(folder, "first", *keep))
    slow = SlowTraining(folder, *train(folder, "first", "--resume", *keep))
    refused_meanwhile(folder, slow, "--resume", *keep, "--set", "train.max_steps=90")
    code, errors = slow.go_on()
    assert code == 0, errors
    assert checkpoints(folder / "first").keys() == {"step-000030"}


def test_a_training_that_fails_at_its_data_leaves_no_directory(folder):
    shutil.rmtree(folder / "first", ignore_errors=True)
    missing = ("--set", "data.train.source=valid.en")  # of another number of lines
    support.refused(*train(folder, "first", *missing), code=1)
    assert not (folder / "first").exists()
