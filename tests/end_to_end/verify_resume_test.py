"""heed verify-resume and heed diff."""
import json

import pytest

import support


@pytest.fixture
def folder(tmp_path):
    support.write_data(tmp_path, "translate")
    return tmp_path


@pytest.mark.parametrize("train", [
    {"optimizer": "adamw", "schedule": "cosine", "accumulate": 2},
    {"optimizer": "adafactor", "schedule": "noam", "lr": 1.0, "ema": 0.9},
    {"optimizer": "sgd", "schedule": "plateau", "eval_every": 3, "precision": "bf16"}])
def test_a_killed_and_resumed_training_is_the_straight_one(train, folder):
    file = support.write_config(folder, support.config("translate", train=train))
    done = support.run("verify-resume", file, "--steps", 12)
    assert done.stdout.decode().startswith("equal ")
    assert "by SIGKILL after " in done.stderr.decode()


def test_a_training_that_fails_by_itself_is_told(folder):
    file = support.write_config(folder, support.config("translate", data={"max_len": 1}))
    assert "the training itself ends with 1" in support.refused("verify-resume", file, code=1)
    assert "model.heads" in support.refused("verify-resume", file, "--set", "model.heads=3", code=2)


def test_runs_are_told_apart_by_step_and_tensor(folder):
    a = support.train(folder, "translate", "a", checkpoint={"every": 10})
    b = support.train(folder, "translate", "b", checkpoint={"every": 10})
    assert support.run("diff", a, b).stdout == b"weights  equal at all 6 common steps\n"
    steps = [json.loads(line)["step"] for line in (a / "weights.jsonl").read_text().splitlines()]
    assert steps == [10, 20, 30, 40, 50, 60]

    c = support.train(folder, "translate", "c", checkpoint={"every": 10}, seed=4)
    text = support.run("diff", a, c).stdout.decode()
    assert "config   seed: 3 -> 4\n" in text and "differ from step 10 on, first in " in text
    def change(run):
        lines = (run / "weights.jsonl").read_text().splitlines()
        line = json.loads(lines[3])
        line["tensors"]["output.bias" if "output.bias" in line["tensors"] else min(line["tensors"])] = "0"
        lines[3] = json.dumps(line)
        (run / "weights.jsonl").write_text("\n".join(lines) + "\n")
    change(b)
    assert "differ from step 40 on, first in " in support.run("diff", a, b).stdout.decode()
    assert "; equal at step 30" in support.run("diff", a, b).stdout.decode()
    assert "no run" in support.refused("diff", a, folder, code=1)
