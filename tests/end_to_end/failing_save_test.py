"""A save that fails takes nothing with it that was saved before, and says why in one line."""
import json
import resource

import pytest

import support

QUIET = {"log": {"every": 1000}, "train": {"max_steps": 30, "eval_every": 30}}


def limited(size):
    """No file may grow beyond `size` bytes: writing fails as on a full disk."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def sizes(checkpoint):
    return [(checkpoint / f"{name}.safetensors").stat().st_size for name in ("model", "optimizer")]


def saved_names(run_dir):
    return sorted(path.name for path in (run_dir / "checkpoints").iterdir())


@pytest.fixture
def run_dir(tmp_path):
    return support.train(tmp_path, "translate", **QUIET)


def on(run_dir, *more):
    return ("train", run_dir.parent / "run.json", "--run", run_dir, *more)


@pytest.mark.parametrize("which", ["model", "optimizer"])
def test_a_checkpoint_that_cannot_be_written_leaves_the_earlier_one(which, run_dir):
    model, optimizer = sizes(support.checkpoint(run_dir))
    size = {"model": model // 2, "optimizer": (model + optimizer) // 2}[which]
    assert model < optimizer
    before = support.run("translate", run_dir, stdin=b"the cat sees you\n").stdout
    more = ("--resume", "--set", "train.max_steps=90")
    done = support.run(*on(run_dir, *more), code=1, preexec_fn=limited(size))
    error = support.one_line_error(done)  # of the last save; that of step 60 is a note
    assert f"{which}.safetensors" in error and "too large" in error, error
    notes = [line for line in done.stderr.decode().splitlines() if line.startswith("not saved: ")]
    assert len(notes) == 1 and "too large" in notes[0] and "the training goes on" in notes[0]

    assert saved_names(run_dir) == ["step-000030"]
    assert json.loads((run_dir / "last.json").read_text())["step"] == 30
    assert not list(run_dir.rglob("*.partial"))
    assert support.run("translate", run_dir, stdin=b"the cat sees you\n").stdout == before
    support.run(*on(run_dir, *more))
    assert saved_names(run_dir) == ["step-000030", "step-000060", "step-000090"]


def test_a_failed_and_resumed_training_ends_as_the_straight_one(tmp_path):
    sections = {**QUIET, "train": {**QUIET["train"], "max_steps": 90}}
    straight = support.train(tmp_path, "translate", "straight", **sections)
    run_dir = support.train(tmp_path, "translate", **QUIET)
    more = ("--resume", "--set", "train.max_steps=90")
    support.refused(*on(run_dir, *more), code=1, preexec_fn=limited(20_000))
    support.run(*on(run_dir, *more))
    for name in ("model.safetensors", "optimizer.safetensors"):
        left, right = ((support.checkpoint(r) / name).read_bytes() for r in (straight, run_dir))
        assert left == right, name


def test_a_run_whose_first_save_fails_can_be_resumed(tmp_path):
    support.write_data(tmp_path, "translate")
    support.write_config(tmp_path, support.config("translate", **QUIET), "run.json")
    run_dir = tmp_path / "run"
    error = support.refused(*on(run_dir), code=1, preexec_fn=limited(20_000))
    assert "model.safetensors" in error and "too large" in error
    assert saved_names(run_dir) == []
    assert not (run_dir / "last.json").exists() and not (run_dir / "best.json").exists()
    assert "no checkpoint" in support.refused("translate", run_dir, code=1)
    support.run(*on(run_dir, "--resume"))
    assert saved_names(run_dir) == ["step-000030"]


def test_metrics_that_cannot_be_written_end_the_training_with_what_was_saved(tmp_path):
    support.write_data(tmp_path, "translate")
    sections = {"train": {"max_steps": 2000, "eval_every": 2000}, "checkpoint": {"every": 10},
                "model": {"d_model": 8, "d_ff": 8, "enc_layers": 1, "dec_layers": 1}}
    support.write_config(tmp_path, support.config("translate", **sections), "run.json")
    run_dir = tmp_path / "run"
    error = support.refused(*on(run_dir), code=1, preexec_fn=limited(40_000))
    assert "metrics.jsonl" in error and "too large" in error
    last = json.loads((run_dir / "last.json").read_text())["step"]
    assert saved_names(run_dir)[-1] == f"step-{last:06d}" and last >= 20
    assert not list(run_dir.rglob("*.partial"))
    more = ("--resume", "--set", f"train.max_steps={last + 20}")
    support.run(*on(run_dir, *more))
    steps = [m["step"] for m in support.metrics(run_dir, "step")]
    assert steps == list(range(1, last + 21))


def test_an_average_that_cannot_be_written_leaves_nothing(run_dir):
    error = support.refused("average", run_dir, "--last", 1, code=1, preexec_fn=limited(20_000))
    assert "model.safetensors" in error and "too large" in error
    assert saved_names(run_dir) == ["step-000030"]


@pytest.mark.parametrize("command, out", [("translate", "--output"), ("attend", "--out")])
def test_results_that_cannot_be_written_leave_no_file(command, out, run_dir):
    source = run_dir.parent / "train.en"
    target = run_dir.parent / "result"
    error = support.refused(command, run_dir, "--beam-size", 1, "--input", source, out, target,
                            code=1, preexec_fn=limited(1000))
    assert "result" in error and "too large" in error
    assert not list(run_dir.parent.glob("result*"))
