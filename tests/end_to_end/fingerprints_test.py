"""Pieces and labels in another order than the weights were trained with are found, not used."""
import json

import pytest

import support
from support import refused


def commands_on(run_dir):
    """Every command that opens a run with its model, by name."""
    use = "classify" if (run_dir / "labels.json").exists() else "translate"
    return {use: (use, run_dir), "eval": ("eval", run_dir),
            "attend": ("attend", run_dir, "--source", "one two"),
            "resume": ("train", run_dir.parent / f"{run_dir.name}.json", "--run", run_dir,
                       "--resume", "--set", "train.max_steps=9")}


def files_of(run_dir):
    return {file: file.read_bytes() for file in run_dir.rglob("*")
            if file.is_file() and file.name not in ("train.log", ".lock")}


def test_swapped_pieces_of_the_vocabulary_are_found(tmp_path):
    run_dir = support.train(tmp_path, "translate", train={"max_steps": 3})
    for side in ("source", "target"):
        file = run_dir / "tokenizer" / f"{side}.vocab"
        kept = file.read_bytes()
        lines = kept.split(b"\n")
        lines[8], lines[9] = lines[9], lines[8]
        file.write_bytes(b"\n".join(lines))
        before = files_of(run_dir)
        for name, args in commands_on(run_dir).items():
            error = refused(*args, code=1, stdin=b"a\n")
            assert "tokenizer" in error, (name, error)
        assert files_of(run_dir) == before
        file.write_bytes(kept)
    support.run(*commands_on(run_dir)["resume"])


@pytest.mark.parametrize("type", ["word", "bpe"])
def test_a_vocabulary_of_another_size_is_refused_with_both_sizes(tmp_path, type):
    shape = {"vocab_size": 60, "shared": True} if type == "bpe" else {}
    small = {"vocab_size": 40, "shared": True} if type == "bpe" else {"vocab_size": 12}
    runs = [support.train(tmp_path, "translate", name, train={"max_steps": 3},
                          tokenizer={"type": type, **more})
            for name, more in (("run", shape), ("other", small))]
    sizes = [support.target_pieces(run) for run in runs]
    assert sizes[0] != sizes[1]
    suffix = ".model" if type == "bpe" else ".vocab"
    side = "shared" if type == "bpe" else "target"
    file, other = [run / "tokenizer" / f"{side}{suffix}" for run in runs]
    file.write_bytes(other.read_bytes())
    before = files_of(runs[0])
    for name, args in commands_on(runs[0]).items():
        error = refused(*args, code=1, stdin=b"a\n")
        assert f"{sizes[1]} pieces, not {sizes[0]}" in error and file.name in error, (name, error)
    assert files_of(runs[0]) == before


def test_swapped_labels_are_found(tmp_path):
    run_dir = support.train(tmp_path, "classify", train={"max_steps": 3})
    file = run_dir / "labels.json"
    kept = file.read_text("utf-8")
    for labels in (["yes", "no"], ["no", "maybe"], ["no", "yes", "maybe"], ["no"]):
        file.write_text(json.dumps(labels))
        before = files_of(run_dir)
        for name, args in commands_on(run_dir).items():
            error = refused(*args, code=1, stdin=b"one two\n")
            assert "labels" in error, (name, labels, error)
        assert files_of(run_dir) == before
    file.write_text(kept, "utf-8")
    support.run(*commands_on(run_dir)["resume"])
