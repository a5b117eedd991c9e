"""heed bench prints one JSON object with the documented keys, and sound numbers."""
import json

import pytest

import support

BOTH = {"tokens_per_second", "latency_ms", "peak_memory_mb", "phases", "seconds"}


@pytest.mark.parametrize("task", ["translate", "classify"])
def test_training_is_timed_by_phase(task, tmp_path):
    support.write_data(tmp_path, task)
    file = support.write_config(tmp_path, support.config(task))
    done = support.run("bench", "train", "--config", file, "--set", "train.accumulate=2", "--steps", 6,
                       "--threads", 1, "--json")
    report = json.loads(done.stdout)
    assert BOTH <= report.keys() and {"gflops", "padding"} <= report.keys()
    assert set(report["phases"]) == {"data", "forward", "backward", "update"}
    assert sum(report["phases"].values()) == pytest.approx(report["seconds"], abs=0.001)
    low, high = report["spread"]
    assert 0 < low <= report["tokens_per_second"] <= high
    assert 0 <= report["padding"] < 1 and report["peak_memory_mb"] > 10 and report["threads"] == 1


def test_decoding_is_timed(tmp_path):
    support.write_data(tmp_path, "translate")
    file = support.write_config(tmp_path, support.config("translate", tokenizer={"vocab_size": 100}))
    for beam_size in (1, 4):
        done = support.run("bench", "decode", "--config", file, "--beam-size", beam_size, "--length", 5,
                           "--batch-size", 16, "--sentences", 40, "--threads", 1, "--json")
        report = json.loads(done.stdout)
        assert BOTH <= report.keys() and set(report["phases"]) == {"encode", "search"}
        assert report["tokens_per_second"] == pytest.approx(3 * 40 * 5 / report["seconds"], rel=0.5)
        assert report["beam_size"] == beam_size and report["length"] == 5


def test_a_person_reads_a_line_a_number(tmp_path):
    support.write_data(tmp_path, "translate")
    file = support.write_config(tmp_path, support.config("translate"))
    text = support.run("bench", "train", "--config", file, "--steps", 2).stdout.decode()
    assert text.startswith("tokens_per_second")
