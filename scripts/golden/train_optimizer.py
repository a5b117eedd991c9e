#!/usr/bin/env python3
"""Ten updates by PyTorch's own optimizers on fixed gradients, for tests/train/optimizer_test.cpp.

Writes tests/golden/train_optimizer.safetensors (torch 2.13): the start, the gradients of each step,
and the parameters after ten steps of each optimizer.

usage: train_optimizer.py
"""

from pathlib import Path

import torch
from safetensors.torch import save_file

GOLDEN = Path(__file__).resolve().parents[2] / "tests" / "golden"
STEPS = 10
SHAPES = {"linear.weight": (5, 3), "linear.bias": (5,), "norm.weight": (3,)}
ADAM = {"betas": (0.9, 0.98), "eps": 1e-9}
OPTIMIZERS = {
    "adam": (torch.optim.Adam, ADAM),
    "adamw": (torch.optim.AdamW, ADAM),
    "sgd": (torch.optim.SGD, {"momentum": 0.9}),
    "sgd_plain": (torch.optim.SGD, {}),
    "adafactor": (torch.optim.Adafactor, {}),
}

torch.manual_seed(1)
start = {name: torch.randn(shape) for name, shape in SHAPES.items()}
gradients = [{name: torch.randn(shape) for name, shape in SHAPES.items()} for _ in range(STEPS)]
golden = {f"start.{name}": tensor for name, tensor in start.items()}
for step, grads in enumerate(gradients, 1):
    golden |= {f"grad.{step}.{name}": grad for name, grad in grads.items()}

for kind, (make, options) in OPTIMIZERS.items():
    weights = {name: tensor.clone().requires_grad_() for name, tensor in start.items()}
    matrices = [weight for weight in weights.values() if weight.dim() > 1]
    vectors = [weight for weight in weights.values() if weight.dim() <= 1]
    optimizer = make(
        [
            {"params": matrices, "weight_decay": 0.1},
            {"params": vectors, "weight_decay": 0.0},
        ],
        lr=0.01,
        **options,
    )
    for step, grads in enumerate(gradients, 1):
        for group in optimizer.param_groups:
            group["lr"] = 0.01 * step
        for name, weight in weights.items():
            weight.grad = grads[name].clone()
        optimizer.step()
    golden |= {f"{kind}.{name}": weight.detach() for name, weight in weights.items()}

save_file(golden, GOLDEN / "train_optimizer.safetensors")
