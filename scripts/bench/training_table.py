#!/usr/bin/env python3
"""The table of docs/training.md: what warm-up, clipping, residuals and the norm's place do at two
depths, by gradient norms of the layers and the loss after 300 steps. About 15 minutes on two cores.

usage: training_table.py [--steps N]
"""

import argparse
import json
import math
import os
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HEED = os.environ.get("HEED", str(ROOT / "build" / "heed"))

VARIANTS = {
    "pre-norm": [],
    "post-norm": ["model.norm_position=post"],
    "post-norm, no warm-up": ["model.norm_position=post", "train.warmup_steps=0"],
    "post-norm, no clipping": ["model.norm_position=post", "train.clip_norm=0"],
    "pre-norm, no warm-up": ["train.warmup_steps=0"],
    "pre-norm, no residuals": ["model.residual=false"],
}


def train(folder: Path, layers: int, steps: int, edits: list[str]) -> list[dict]:
    """The records of one training."""
    edits = [f"model.enc_layers={layers}", f"model.dec_layers={layers}", f"train.max_steps={steps}",
             "train.warmup_steps=100", "train.lr=0.002", "train.schedule=constant",
             "train.eval_every=0", "train.max_seconds=0", "train.decay_steps=0", "log.every=1",
             "log.watch_every=10", "checkpoint.every=0", *edits]
    words = [HEED, "train", ROOT / "configs" / "toy_translation.json", "--run", folder,
             "--overwrite", *[word for edit in edits for word in ("--set", edit)]]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
    lines = (folder / "metrics.jsonl").read_text().splitlines()
    records = [json.loads(line) for line in lines]
    if done.returncode != 0:
        records.append({"event": "end", "message": done.stderr.strip().splitlines()[-1]})
    return records


def layer_norms(look: dict, side: str, layers: int) -> str:
    """Gradient norm of the first, the middle and the last layer."""
    def norm(index: int) -> float:
        begin = f"{side}.layers.{index}."
        return math.sqrt(sum(value ** 2 for name, value in look["grad_norm"].items()
                             if name.startswith(begin)))
    shown = sorted({0, layers // 2, layers - 1})
    return " · ".join(f"{norm(index):.2g}" for index in shown)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=300)
    steps = parser.parse_args().steps
    print("| layers | training | encoder, step 10 | decoder, step 10 | encoder, last | decoder, last "
          f"| loss after {steps} |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as scratch:
        for layers in (2, 12):
            for name, edits in VARIANTS.items():
                records = train(Path(scratch) / "run", layers, steps, edits)
                looks = [r for r in records if r["event"] == "tensors"]
                losses = [r["loss"] for r in records if r["event"] == "step"]
                cells = [layer_norms(look, side, layers) for look in (looks[0], looks[-1])
                         for side in ("encoder", "decoder")]
                loss = f"{sum(losses[-10:]) / len(losses[-10:]):.2f}"
                if records[-1]["event"] == "end":
                    loss = f"ended at step {len(losses) + 1}: not finite"
                print(f"| {layers} | {name} | {' | '.join(cells)} | {loss} |", flush=True)


if __name__ == "__main__":
    main()
