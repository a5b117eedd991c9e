"""What a training records of its tensors and heads, and the word vectors it begins with."""
import math

import numpy
import pytest

import support
from support import refused

safetensors = pytest.importorskip("safetensors.numpy")


@pytest.fixture(scope="module")
def watched(tmp_path_factory):
    return support.train(tmp_path_factory.mktemp("watched"), "translate",
                         log={"every": 1, "watch_every": 20, "grad_norm_warn": 0.001})


def test_every_tensor_is_looked_at(watched):
    looks = support.metrics(watched, "tensors")
    assert [look["step"] for look in looks] == [20, 40, 60]
    norms = {m["step"]: m["grad_norm"] for m in support.metrics(watched, "step")}
    stored = safetensors.load_file(support.checkpoint(watched) / "model.safetensors")
    for look in looks:
        assert look["grad_norm"].keys() == look["update_ratio"].keys() == stored.keys()
        whole = math.sqrt(sum(norm ** 2 for norm in look["grad_norm"].values()))
        assert whole == pytest.approx(norms[look["step"]], rel=1e-4)
        assert all(0 <= ratio < 1 for ratio in look["update_ratio"].values())
    notes = [note["message"] for note in support.metrics(watched, "note")]
    assert any("gradients longer than 0.001 (log.grad_norm_warn)" in note for note in notes)


def test_every_head_is_looked_at(watched):
    looks = support.metrics(watched, "attention")
    assert [look["step"] for look in looks] == [20, 40, 60]
    for look in looks:
        heads = look["heads"]
        assert sorted({(h["kind"], h["layer"], h["head"]) for h in heads}) == [
            (kind, layer, head) for kind in ("cross", "decoder", "encoder")
            for layer in (0, 1) for head in (0, 1)]
        for head in heads:
            assert head["padding"] == 0 and 0 <= head["entropy"] <= 1 + 1e-6
            assert 0 < head["largest"] <= 1 + 1e-6
    page = support.run("report", watched, "--out", watched / "report.html")
    html = (watched / "report.html").read_text("utf-8")
    assert page.stdout == b"" or b"report" in page.stdout
    assert "Entropy of attention" in html and "cross 1.1" in html
    assert "encoder.layers.0.self_attn" in html


def test_watching_changes_no_weight(watched, tmp_path):
    other = support.train(tmp_path, "translate", log={"every": 1, "watch_every": 0})
    assert not support.metrics(other, "attention") and not support.metrics(other, "tensors")
    a, b = [(support.checkpoint(run) / "model.safetensors").read_bytes()
            for run in (watched, other)]
    assert a == b


def test_memory_and_phases_are_recorded(watched):
    for step in support.metrics(watched, "step"):
        assert step["peak_memory_mb"] > 10
        assert set(step["phases"]) == {"data", "forward", "backward", "update"}
        assert all(seconds >= 0 for seconds in step["phases"].values())


def test_embeddings_begin_with_word_vectors(tmp_path):
    vectors = {"cat": [0.5] * 16, "dog": [-1.25] * 16, "unicorn": [3.0] * 16}
    file = tmp_path / "vectors.txt"
    file.write_text("".join(f"{word} {' '.join(map(str, numbers))}\n"
                            for word, numbers in vectors.items()), "utf-8")
    run_dir = support.train(tmp_path, "translate",
                            train={"max_steps": 1, "source_vectors": str(file),
                                   "freeze": ["encoder.embed_tokens.*"]})
    log = (run_dir / "train.log").read_text("utf-8")
    words = (run_dir / "tokenizer" / "source.vocab").read_text("utf-8").splitlines()
    assert f"vectors  2 of {len(words) - 4} pieces from" in log
    weight = safetensors.load_file(
        support.checkpoint(run_dir) / "model.safetensors")["encoder.embed_tokens.weight"]
    for word in ("cat", "dog"):
        assert numpy.array_equal(weight[words.index(word)], numpy.float32(vectors[word])), word

    file.write_text("cat 1 2 3\n", "utf-8")
    error = refused("train", tmp_path / "run.json", "--run", tmp_path / "other", code=1)
    assert "vectors.txt:1" in error and "16 numbers" in error and "got 3" in error
    assert not (tmp_path / "other").exists()


def test_vectors_that_no_embedding_takes_are_refused(tmp_path):
    support.write_data(tmp_path, "classify")
    file = support.write_config(tmp_path, support.config("classify"))
    error = refused("train", file, "--run", tmp_path / "run", "--set",
                    "train.target_vectors=v.txt", code=2)
    assert "train.target_vectors" in error and "no target" in error
