#!/usr/bin/env python3
"""Long proofs of exact resuming; see endure.sh.

usage: endure.py [resume|kill]...
"""

import hashlib
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
HEED = os.environ.get("HEED", str(ROOT / "build" / "heed"))
KILLS = 100

SMALL = {"d_model": 16, "heads": 2, "d_ff": 32, "enc_layers": 1, "dropout": 0.1}
RATES = {"adam": 0.003, "adamw": 0.003, "sgd": 0.05, "adafactor": 0.02}


def config(model: str) -> dict:
    """A tiny training on the toy corpora."""
    task = "classify" if model == "classifier" else "translate"
    data = ROOT / "data" / ("toy_classification" if task == "classify" else "toy_translation")
    splits = ("train", "valid")
    if task == "classify":
        named = {split: {"file": str(data / f"{split}.tsv")} for split in splits}
    else:
        named = {split: {"source": str(data / f"{split}.en"), "target": str(data / f"{split}.de")}
                 for split in splits}
    sizes = dict(SMALL)
    if task == "translate":
        sizes["dec_layers"] = 1
    if model == "rnn":
        sizes = {"type": "rnn", "d_model": 16, "enc_layers": 1, "dec_layers": 1, "dropout": 0.1}
    return {"task": task, "data": named, "tokenizer": {"type": "word"}, "model": sizes,
            "train": {"batch_tokens": 128, "warmup_steps": 4, "max_steps": 12, "eval_every": 4}}


def heed(*words, **options):
    return subprocess.run([HEED, *map(str, words)], capture_output=True, text=True, **options)


def resume(folder: Path) -> bool:
    """heed verify-resume over the whole grid."""
    grid = list(itertools.product(RATES, ("noam", "cosine", "plateau"), ("fp32", "bf16"), (1, 3),
                                  ("transformer", "rnn", "classifier")))
    good = 0
    for optimizer, schedule, precision, accumulate, model in grid:
        value = config(model)
        value["train"] |= {"optimizer": optimizer, "schedule": schedule, "precision": precision,
                           "accumulate": accumulate,
                           "lr": RATES[optimizer] * (10 if schedule == "noam" else 1)}
        file = folder / "config.json"
        file.write_text(json.dumps(value))
        done = heed("verify-resume", file, "--steps", 12)
        good += done.returncode == 0
        if done.returncode != 0:
            print(f"FAILED {optimizer} {schedule} {precision} x{accumulate} {model}: "
                  f"{done.stderr.strip().splitlines()[-1]}", flush=True)
    print(f"resume: {good} of {len(grid)} bit-equal", flush=True)
    return good == len(grid)


def digest(run: Path) -> list[str]:
    last = json.loads((run / "last.json").read_text())["step"]
    folder = run / "checkpoints" / f"step-{last:06d}"
    return [hashlib.sha256((folder / f"{name}.safetensors").read_bytes()).hexdigest()
            for name in ("model", "optimizer")]


def kill(folder: Path) -> bool:
    """One training, saved at every step and killed at random moments, a hundred times."""
    value = config("transformer")
    value["train"] |= {"max_steps": 3000, "eval_every": 50}
    value["checkpoint"] = {"every": 1, "keep_last": 2}
    file = folder / "config.json"
    file.write_text(json.dumps(value))
    assert heed("train", file, "--run", folder / "straight").returncode == 0
    draw = random.Random(1)
    run, kills = folder / "killed", 0
    while kills < KILLS:
        words = ["train", file, "--run", run] + (["--resume"] if (run / "config.json").exists() else [])
        process = subprocess.Popen([HEED, *map(str, words)], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True)
        time.sleep(0.4 + draw.random() * 0.5)
        if process.poll() is not None:
            what = process.stderr.read().strip() if process.returncode else "done too early"
            print(f"kill: FAILED after {kills} of {KILLS} kills: {what}", flush=True)
            return False
        process.kill()
        process.wait()
        kills += 1
    assert heed("train", file, "--run", run, "--resume").returncode == 0
    equal = digest(run) == digest(folder / "straight")
    print(f"kill: {kills} of {KILLS} resumed, {'bit-equal' if equal else 'NOT EQUAL'} in the end",
          flush=True)
    return equal


def main() -> int:
    wanted = sys.argv[1:] or ["resume", "kill"]
    results = []
    for name in wanted:
        with tempfile.TemporaryDirectory() as folder:
            results.append({"resume": resume, "kill": kill}[name](Path(folder)))
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
