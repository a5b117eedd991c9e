"""Pieces and labels in another order than the weights were trained with are found, not used."""
import json

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
