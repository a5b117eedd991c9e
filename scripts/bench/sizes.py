#!/usr/bin/env python3
"""The table of docs/recurrent.md: Transformer and GRU with additive attention on the first N pairs of
Multi30k De->En (scripts/get_data.sh multi30k_de_en, or HEED_DATA), with as many parameters, in as
much time, over several seeds. About 100 minutes on two cores.

usage: sizes.py [--sizes 500,2000,8000,29000] [--seeds 1,2,3]

Prints a JSON line for each training, then the table: means over the seeds, test BLEU of beam search
on the best checkpoint, target tokens a second in training and in decoding (heed bench decode, beam
5). The program: HEED in the environment, else build/heed.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HEED = os.environ.get("HEED", str(ROOT / "build" / "heed"))
DATA = Path(os.environ.get("HEED_DATA", ROOT / "data")) / "multi30k"
TRANSFORMER_WIDTH = 128
# pairs -> pieces, seconds of training, dropout of (Transformer, GRU)
PLANS = {
    500: (1000, 60, (0.3, 0.3)),
    2000: (2000, 120, (0.3, 0.3)),
    8000: (4000, 240, (0.2, 0.3)),
    29000: (8000, 480, (0.1, 0.3)),
}


def heed(*words: object) -> str:
    done = subprocess.run([HEED, *map(str, words)], capture_output=True, text=True,
                          env=os.environ | {"HEED_DATA": str(DATA.parent)})
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}\n{done.stderr}")
    return done.stdout


def gru_width(pieces: int) -> int:
    """The even width at which the GRU model has as many weights as the Transformer of the config:
    pieces rows of embeddings, 80 d^2 of the Transformer's 4 + 4 layers, 20 d^2 of the GRU's 2 + 1."""
    want = pieces * TRANSFORMER_WIDTH + 80 * TRANSFORMER_WIDTH**2
    return min(range(64, 513, 2), key=lambda d: abs(pieces * d + 20 * d * d - want))


def config_of(model: str, pairs: int, seed: int, scratch: Path) -> Path:
    pieces, seconds, dropouts = PLANS[pairs]
    recurrent = model == "GRU"
    name = "multi30k_de_en_rnn.json" if recurrent else "multi30k_de_en.json"
    config = json.loads((ROOT / "configs" / name).read_text())
    config["seed"] = seed
    for side, language in (("source", "de"), ("target", "en")):
        lines = (DATA / f"train.{language}").read_text("utf-8").splitlines(keepends=True)
        part = scratch / f"train{pairs}.{language}"
        part.write_text("".join(lines[:pairs]), "utf-8")
        config["data"]["train"][side] = str(part)
    config["tokenizer"]["vocab_size"] = pieces
    config["model"]["d_model"] = gru_width(pieces) if recurrent else TRANSFORMER_WIDTH
    config["model"]["dropout"] = dropouts[recurrent]
    config["train"] |= {"max_seconds": seconds, "warmup_steps": 200, "eval_every": 200}
    config["checkpoint"] |= {"every": 200, "keep_last": 1}
    path = scratch / f"{model}.json"
    path.write_text(json.dumps(config))
    return path


def train(model: str, pairs: int, seed: int, scratch: Path) -> dict:
    config, run = config_of(model, pairs, seed, scratch), scratch / "run"
    heed("train", config, "--run", run, "--overwrite")
    records = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    steps = [record for record in records if record["event"] == "step"]
    scores = json.loads(heed("eval", run, "--split", "test", "--json"))
    speed = json.loads(heed("bench", "decode", "--config", config, "--beam-size", 5, "--json"))
    return {"model": model, "pairs": pairs, "seed": seed, "width": json.loads(
                config.read_text())["model"]["d_model"],
            "steps": steps[-1]["step"], "bleu": round(scores["bleu"], 2),
            "train_tokens_per_second": statistics.median(s["tokens_per_second"] for s in steps),
            "decode_tokens_per_second": speed["tokens_per_second"]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default=",".join(map(str, PLANS)))
    parser.add_argument("--seeds", default="1,2,3")
    options = parser.parse_args()
    sizes = [int(size) for size in options.sizes.split(",")]
    seeds = [int(seed) for seed in options.seeds.split(",")]

    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        for pairs in sizes:
            for seed in seeds:
                for model in ("Transformer", "GRU"):
                    rows.append(train(model, pairs, seed, Path(scratch)))
                    print(json.dumps(rows[-1]), flush=True)

    print("| pairs | training | model | BLEU (each seed) | training tokens/s | decoding tokens/s |")
    print("| --- | --- | --- | --- | --- | --- |")
    for pairs in sizes:
        for model in ("Transformer", "GRU"):
            mine = [row for row in rows if (row["pairs"], row["model"]) == (pairs, model)]
            bleus = [row["bleu"] for row in mine]
            speeds = [round(statistics.mean(row[f"{what}_tokens_per_second"] for row in mine))
                      for what in ("train", "decode")]
            each = ", ".join(f"{bleu:.1f}" for bleu in bleus)
            print(f"| {pairs:,} | {PLANS[pairs][1] // 60} min | {model}, {mine[0]['width']} wide "
                  f"| {statistics.mean(bleus):.1f} ({each}) | {speeds[0]:,} | {speeds[1]:,} |")


if __name__ == "__main__":
    main()
