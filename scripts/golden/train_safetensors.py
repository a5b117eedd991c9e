#!/usr/bin/env python3
"""Writes tests/golden/train_safetensors.safetensors with safetensors' own library (0.8, torch 2.13).

usage: train_safetensors.py
"""

from pathlib import Path

import torch
from safetensors.torch import save_file

GOLDEN = Path(__file__).resolve().parents[2] / "tests" / "golden"

save_file(
    {
        "f32": torch.tensor([[1.5, -2.0, 3.25], [0.0, 1e-30, -1e30]]),
        "f64": torch.tensor([0.1, 1e300], dtype=torch.float64),
        "f16": torch.tensor([0.5, 65504.0], dtype=torch.float16),
        "bf16": torch.tensor([[-1.0], [3.0]], dtype=torch.bfloat16),
        "i64": torch.tensor([2**62, -1]),
        "i32": torch.tensor([-(2**31), 7], dtype=torch.int32),
        "u8": torch.tensor([0, 255, 3], dtype=torch.uint8),
        "bool": torch.tensor([True, False, True]),
        "scalar": torch.tensor(4.0),
        "empty": torch.zeros(0, 5),
        "naïve “name”": torch.tensor([1.0]),
    },
    GOLDEN / "train_safetensors.safetensors",
    metadata={"format": "pt"},
)
