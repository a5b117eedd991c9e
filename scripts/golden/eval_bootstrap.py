#!/usr/bin/env python3
"""Writes tests/golden/eval_bootstrap.json: draws of NumPy's default generator, and sacreBLEU's
paired bootstrap test of two made-up systems.

    .venv/bin/python scripts/golden/eval_bootstrap.py
"""
import json
import os
import random
from pathlib import Path

import numpy as np
import sacrebleu
from sacrebleu.metrics import BLEU, CHRF, TER
from sacrebleu.significance import PairedTest

OUT = Path(__file__).resolve().parents[2] / "tests/golden/eval_bootstrap.json"
WORDS = "the a man woman dog sits runs on in red big house street and with , . small two".split()
BOUNDS = (1, 2, 3, 10, 1000, 1014, 65536, 3000000000, 4294967295)


def draws() -> list[dict]:
    out = []
    for seed in (0, 1, 12345, 2**32 + 7, 2**63 + 11):
        words = np.random.default_rng(seed).integers(2**64, size=3, dtype=np.uint64)
        out.append({"seed": str(seed), "words": [str(word) for word in words],
                    "below": [np.random.default_rng(seed).choice(bound, size=7).tolist()
                              for bound in BOUNDS]})
    return out


def worse(line: str, share: float) -> str:
    return " ".join(random.choice(WORDS) if random.random() < share else w for w in line.split()
                    if random.random() > share / 3)


def side(result) -> dict:
    return {"score": result.score, "mean": float(result.mean), "ci": float(result.ci)}


def paired(samples: int, lines: int, shares: tuple[float, float]) -> dict:
    references = [" ".join(random.choices(WORDS, k=random.randrange(3, 15))) for _ in range(lines)]
    baseline, system = ([worse(line, share) for line in references] for share in shares)
    metrics = {"bleu": BLEU(), "chrf": CHRF(), "chrf_pp": CHRF(word_order=2), "ter": TER()}
    signatures, scores = PairedTest([("baseline", baseline), ("system", system)], metrics,
                                    [references], test_type="bs", n_samples=samples)()
    names = {"bleu": "BLEU", "chrf": "chrF2", "chrf_pp": "chrF2++", "ter": "TER"}
    results = {key: {"baseline": side(scores[name][0]), "system": side(scores[name][1]),
                     "p_value": scores[name][1].p_value, "signature": str(signatures[name])}
               for key, name in names.items()}
    return {"samples": samples, "references": references, "baseline": baseline, "system": system,
            "results": results}


def main() -> None:
    os.environ.pop("SACREBLEU_SEED", None)
    random.seed(7)
    tests = [paired(1000, 60, (0.30, 0.25)), paired(500, 25, (0.2, 0.35)), paired(101, 200, (0.3, 0.3)),
             paired(40, 1, (0.2, 0.3))]
    json.dump({"made_with": f"sacrebleu {sacrebleu.__version__}, numpy {np.__version__}",
               "bounds": BOUNDS, "draws": draws(), "tests": tests}, OUT.open("w"),
              separators=(",", ":"))
    print(OUT.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
