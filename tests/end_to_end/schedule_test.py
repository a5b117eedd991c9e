"""heed schedule: the rate of every update, drawn and as numbers."""
import json

import pytest

import support


@pytest.fixture
def folder(tmp_path):
    support.write_data(tmp_path, "translate")
    return tmp_path


def schedule(folder, *options, code=0, **train):
    train = {"schedule": "linear", "lr": 0.1, "warmup_steps": 10, "max_steps": 110, **train}
    file = support.write_config(folder, support.config("translate", train=train))
    return support.run("schedule", file, *options, code=code)


def test_the_numbers_are_the_schedules(folder):
    shown = json.loads(schedule(folder, "--json").stdout)
    assert shown["schedule"] == "linear"
    expected = [0.1 * n / 10 if n <= 10 else 0.1 * (1 - (n - 10) / 101) for n in range(1, 111)]
    assert shown["rates"] == pytest.approx(expected)


@pytest.mark.parametrize("name", ["noam", "inverse_sqrt", "linear", "cosine", "plateau", "constant"])
def test_it_is_drawn_within_a_terminal(name, folder):
    text = schedule(folder, schedule=name).stdout.decode()
    assert max(map(len, text.splitlines())) <= 80
    assert "at step" in text and "█" in text and "110" in text


def test_a_run_that_time_ends_needs_its_steps(folder):
    error = support.one_line_error(schedule(folder, max_steps=0, max_seconds=60, code=2))
    assert "--steps" in error
    rates = json.loads(schedule(folder, "--json", "--steps", 100, max_steps=0, max_seconds=60).stdout)
    assert len(rates["rates"]) == 100 and rates["rates"][50] == pytest.approx(0.05)


@pytest.mark.parametrize("train, expected", [
    ({"warmup_steps": 100}, "100 of 110 steps are warm-up"), ({"lr": 0}, "rate is 0 in 110 of 110"),
    ({"schedule": "noam", "lr": 0.001}, "a factor, not a rate")])
def test_strange_plans_are_warned_of(train, expected, folder):
    assert expected in schedule(folder, **train).stderr.decode()
    assert b"warning" not in schedule(folder).stderr
