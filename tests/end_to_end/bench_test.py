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


RNN = {"type": "rnn", "d_model": 16, "enc_layers": 1, "dropout": 0.1}


@pytest.mark.parametrize("task", ["translate", "classify"])
def test_training_of_a_recurrent_model_is_timed(task, tmp_path):
    support.write_data(tmp_path, task)
    file = support.write_config(tmp_path, {**support.config(task), "model": RNN})
    report = json.loads(support.run("bench", "train", "--config", file, "--steps", 3, "--threads", 1,
                                    "--json").stdout)
    assert report["tokens_per_second"] > 0 and report["loss"] > 0


@pytest.mark.parametrize("model", [{"heads": 2, "d_model": 16}, {
    **RNN, "dec_layers": 2, "rnn": {"cell": "lstm", "attention": "general", "input_feeding": True}}])
def test_decoding_is_timed_without_data_files(model, tmp_path):
    value = {**support.config("translate", tokenizer={"vocab_size": 100}), "model": model}
    file = support.write_config(tmp_path, value)
    options = ("--config", file, "--length", 5, "--sentences", 8, "--threads", 1, "--json")
    report = json.loads(support.run("bench", "decode", *options).stdout)
    assert report["tokens_per_second"] > 0 and report["beam_size"] == 3
    assert "train.en: no such file" in support.refused("bench", "train", "--config", file, code=1)
    assert "no/such.json" in support.refused("bench", "decode", "--config", "no/such.json", code=1)


def test_a_person_reads_a_line_a_number(tmp_path):
    support.write_data(tmp_path, "translate")
    file = support.write_config(tmp_path, support.config("translate"))
    text = support.run("bench", "train", "--config", file, "--steps", 2).stdout.decode()
    assert text.startswith("tokens_per_second")


ATTENTION = ("bench", "attention", "--d-model", 16, "--heads", 2, "--threads", 1)


def test_attention_is_measured_by_length_with_its_growth():
    done = support.run(*ATTENTION, "--lengths", "256,512,1024", "--types", "explicit,linear", "--json")
    report = json.loads(done.stdout)
    assert [(c["type"], c["length"]) for c in report["cells"]] == [
        (t, n) for t in ("explicit", "linear") for n in (256, 512, 1024)]
    for cell in report["cells"]:
        assert 0 < cell["forward_ms"] < cell["training_ms"]
        assert cell["peak_memory_mb"] > cell["training_memory_mb"] >= cell["forward_memory_mb"] >= 0
        assert cell["tokens_per_second"] > 0 and cell["times_explicit"] > 0
    growth = {row["type"]: row for row in report["growth"]}
    assert growth["explicit"]["forward_ms"] > growth["linear"]["forward_ms"] + 0.3
    assert growth["explicit"]["training_memory_mb"] > 1.5
    assert report["threads"] == 1 and report["device"] == "cpu"
    assert all(row["lengths"] == [256, 512, 1024] for row in growth.values())
    assert (report["random"], report["block"], report["global_positions"]) == (64, 64, [0])


def test_attention_has_a_table_for_a_person():
    text = support.run(*ATTENTION, "--lengths", "64,128", "--types", "fused,window").stdout.decode()
    assert max(map(len, text.splitlines())) <= 80
    assert "fitted over 64, 128" in text and "window 256\n" in text
    assert text.startswith("d_model 16 · 2 heads · batch 1 · cpu · 1 thread\n")


def test_the_help_lists_the_types_that_are_taken():
    text = " ".join(support.run("bench", "attention", "--help").stdout.decode().split())
    assert "explicit, fused, additive, bigbird, dot" in text and "multi_head," not in text


@pytest.mark.parametrize("options, words", [
    (("--types", "explicit,multihead"), "--types: 'multihead' is none of explicit, fused"),
    (("--heads", 3), "--heads: 3 heads do not divide --d-model, which is 16"),
    (("--lengths", "0"), "--lengths"),
])
def test_attention_of_no_such_kind_is_refused(options, words):
    assert words in support.refused("bench", "attention", "--d-model", 16, *options, code=2)
