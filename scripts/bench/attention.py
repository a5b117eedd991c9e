#!/usr/bin/env python3
"""The same attention layer in heed and in Python, measured alternately, at every length.

usage: attention.py [--rounds N] [--lengths 512,1024,...] [--types explicit,fused] [--threads N]

explicit: softmax(Q K^T / sqrt(Dk)) V written out; fused: scaled_dot_product_attention; each with the
four projections around it, as heed's layer has them. Each measurement is a process of its own; heed
and Python take turns, so what the machine does meanwhile falls on both. Prints a JSON line a round,
then the medians and their ratio (heed over Python: below 1 heed is faster). The program: HEED in the
environment, else build/heed.
"""
import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

HEED = os.environ.get("HEED", str(Path(__file__).resolve().parents[2] / "build" / "heed"))
D_MODEL, HEADS = 256, 4
WARM_UP_LENGTH = 64
FEWEST, ENOUGH_MS, TOO_LONG_MS, MOST = 5, 500.0, 4000.0, 200  # as in heed bench attention


def build(impl):
    import torch
    from torch import nn
    from torch.nn import functional

    class Attention(nn.Module):
        def __init__(self):
            super().__init__()
            self.qkv_proj = nn.Linear(D_MODEL, 3 * D_MODEL)
            self.out_proj = nn.Linear(D_MODEL, D_MODEL)

        def forward(self, x):
            batch, length, _ = x.shape
            query, key, value = (part.view(batch, length, HEADS, -1).transpose(1, 2)
                                 for part in self.qkv_proj(x).chunk(3, dim=-1))
            if impl == "fused":
                context = functional.scaled_dot_product_attention(query, key, value)
            else:
                scale = 1 / math.sqrt(query.shape[-1])
                weights = torch.softmax((query * scale) @ key.transpose(-2, -1), dim=-1)
                context = weights @ value
            return self.out_proj(context.transpose(1, 2).flatten(2))

    return Attention()


def median_ms(work):
    work()
    times = []
    while len(times) < MOST and sum(times) < TOO_LONG_MS and (
            len(times) < FEWEST or sum(times) < ENOUGH_MS):
        begin = time.perf_counter()
        work()
        times.append(1e3 * (time.perf_counter() - begin))
    return statistics.median(times)


def measure_python(impl, length, threads):
    """In this process."""
    import torch
    torch.set_num_threads(threads)
    layer = build(impl)

    def works(tokens):
        x = torch.randn(1, tokens, D_MODEL, requires_grad=True)
        gradient = torch.randn(1, tokens, D_MODEL)

        def forward():
            with torch.no_grad():
                layer(x)

        def train():
            layer(x).backward(gradient)
            x.grad = None
            layer.zero_grad(set_to_none=True)

        return forward, train

    for work in works(WARM_UP_LENGTH):
        work()
    forward, train = works(length)
    return {"forward_ms": median_ms(forward), "training_ms": median_ms(train)}


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{command[0]}: {done.stderr.strip()}")
    return json.loads(done.stdout.splitlines()[-1])


def measure_heed(impl, length, threads):
    report = run([HEED, "bench", "attention", "--types", impl, "--lengths", str(length), "--d-model",
                  str(D_MODEL), "--heads", str(HEADS), "--threads", str(threads), "--json"])
    cell = report["cells"][0]
    return {key: cell[key] for key in ("forward_ms", "training_ms")}


def compare(args):
    for impl in args.types.split(","):
        for length in map(int, args.lengths.split(",")):
            rounds = []
            for number in range(args.rounds):
                turns = {
                    "heed": lambda: measure_heed(impl, length, args.threads),
                    "python": lambda: run([sys.executable, __file__, "--here", impl, "--lengths",
                                           str(length), "--threads", str(args.threads)]),
                }
                order = ("heed", "python") if number % 2 == 0 else ("python", "heed")
                rounds.append({side: turns[side]() for side in order})
                print(json.dumps({"type": impl, "length": length, "round": number + 1,
                                  **rounds[-1]}), flush=True)
            summary = {"type": impl, "length": length}
            for key in ("forward_ms", "training_ms"):
                heed, python = (statistics.median(r[side][key] for r in rounds)
                                for side in ("heed", "python"))
                summary[key] = {"heed": round(heed, 3), "python": round(python, 3),
                                "ratio": round(heed / python, 3)}
            print(json.dumps(summary), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--lengths", default="512,1024,2048,4096,8192")
    parser.add_argument("--types", default="explicit,fused")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--here", help=argparse.SUPPRESS)  # one measurement, in this process
    args = parser.parse_args()
    if args.here:
        print(json.dumps(measure_python(args.here, int(args.lengths), args.threads)))
    else:
        compare(args)


if __name__ == "__main__":
    main()
