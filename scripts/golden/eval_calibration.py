#!/usr/bin/env python3
"""Writes tests/golden/eval_calibration.json: calibration and top-k accuracy by NumPy.

    .venv/bin/python scripts/golden/eval_calibration.py
"""
import json
from pathlib import Path

import numpy as np

OUT = Path(__file__).resolve().parents[2] / "tests/golden/eval_calibration.json"


def ece(probabilities: np.ndarray, labels: np.ndarray, bins: int) -> float:
    confidence, right = probabilities.max(1), probabilities.argmax(1) == labels
    edges = np.linspace(0, 1, bins + 1)
    total = 0.0
    for low, high in zip(edges[:-1], edges[1:]):
        inside = (confidence > low) & (confidence <= high)
        if inside.any():
            total += abs(right[inside].mean() - confidence[inside].mean()) * inside.mean()
    return total


def case(texts: int, classes: int, sharpness: float, rng: np.random.Generator) -> dict:
    logits = rng.normal(size=(texts, classes)) * sharpness
    probabilities = np.exp(logits) / np.exp(logits).sum(1, keepdims=True)
    probabilities = np.round(probabilities, 6)
    labels = np.where(rng.random(texts) < 0.6, probabilities.argmax(1), rng.integers(classes, size=texts))
    ranked = np.argsort(-probabilities, axis=1, kind="stable")
    return {"probabilities": probabilities.tolist(), "labels": labels.tolist(),
            "ece_10": ece(probabilities, labels, 10), "ece_15": ece(probabilities, labels, 15),
            "brier": float(((probabilities - np.eye(classes)[labels]) ** 2).sum(1).mean()),
            "confidence": float(probabilities.max(1).mean()),
            "top_k": [float((ranked[:, :k] == labels[:, None]).any(1).mean())
                      for k in range(1, classes + 1)]}


def main() -> None:
    rng = np.random.default_rng(11)
    cases = [case(*shape, rng) for shape in ((1, 2, 1.0), (50, 2, 3.0), (80, 6, 2.0), (60, 4, 8.0))]
    json.dump({"made_with": "numpy " + np.__version__, "cases": cases}, OUT.open("w"),
              separators=(",", ":"))
    print(OUT.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
