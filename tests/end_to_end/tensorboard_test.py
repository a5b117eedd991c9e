"""log.tensorboard: event files that TensorBoard's own reader reads."""
import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

import support


def scalars(run_dir):
    events = EventAccumulator(str(run_dir / "tensorboard"))
    events.Reload()
    return {tag: [(event.step, event.value) for event in events.Scalars(tag)]
            for tag in events.Tags()["scalars"]}


def test_tensorboard_reads_what_metrics_say(tmp_path):
    sections = {"log": {"every": 10, "tensorboard": True}, "train": {"max_steps": 60}}
    run_dir = support.train(tmp_path, "translate", **sections)
    read = scalars(run_dir)
    for key in ("loss", "lr", "grad_norm"):
        expected = [(m["step"], pytest.approx(m[key])) for m in support.metrics(run_dir, "step")]
        assert read[f"train/{key}"] == expected and len(expected) == 6
    expected = [(m["step"], pytest.approx(m["bleu"])) for m in support.metrics(run_dir, "eval")]
    assert read["valid/bleu"] == expected and len(expected) == 2

    support.run("train", tmp_path / "run.json", "--run", run_dir, "--resume", "--set",
                "train.max_steps=80")
    assert [step for step, _ in scalars(run_dir)["train/loss"]] == [10, 20, 30, 40, 50, 60, 70, 80]


def test_without_it_there_are_none(tmp_path):
    assert not (support.train(tmp_path, "translate", train={"max_steps": 2}) / "tensorboard").exists()
