#!/usr/bin/env python3
"""References from PyTorch for attention, encoder and decoder layers and the smoothed loss.

usage: nn_layers.py  -> tests/golden/nn_layers.json (pinned: torch 2.13.0, CPU, one thread)

Weights are multiples of 1/16 and inputs of 1/8, so that the file is small and exact. Each case
holds inputs, parameters under PyTorch's names, the output, and the gradients of sum(output * w).
"""

import json
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional

D, H, F, B, TQ, TK = 8, 2, 12, 2, 3, 4


def rounded(shape, steps=8):
    return torch.randint(-12, 13, shape).float() / steps


def plain(x):
    return {"shape": list(x.shape), "values": [float(f"{v:.9g}") for v in x.flatten().tolist()]}


def fill(module):
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.copy_(rounded(parameter.shape, 16))
    return module


def case(module, inputs, **arguments):
    tensors = {name: x.clone().requires_grad_() for name, x in inputs.items()}
    output = module(*tensors.values(), **arguments)
    output = output[0] if isinstance(output, tuple) else output
    weight = rounded(output.shape)
    (output * weight).sum().backward()
    return {
        "inputs": {k: plain(v.detach()) for k, v in tensors.items()},
        "parameters": {k: plain(v.detach()) for k, v in module.named_parameters()},
        "output": plain(output.detach()),
        "output_weight": plain(weight),
        "input_gradients": {k: plain(v.grad) for k, v in tensors.items()},
        "parameter_gradients": {k: plain(v.grad) for k, v in module.named_parameters()},
    }


def attention():
    hidden = torch.tensor([[False] * TK, [False, False, True, True]])  # lengths 4 and 2
    module = fill(nn.MultiheadAttention(D, H, batch_first=True))
    both = {"query": rounded((B, TQ, D)), "memory": rounded((B, TK, D))}
    cross = case(lambda_module(module, lambda q, m: module(q, m, m, key_padding_mask=hidden)), both)
    causal = torch.ones(TQ, TQ, dtype=torch.bool).triu(1)
    own = case(lambda_module(module, lambda q: module(q, q, q, attn_mask=causal)),
               {"query": rounded((B, TQ, D))})
    return {"cross": cross, "causal": own}


def lambda_module(module, call):
    """`call` in place of module's own forward, with module's parameters."""
    class Around:
        def __call__(self, *tensors):
            module.zero_grad()
            return call(*tensors)

        parameters = module.parameters
        named_parameters = module.named_parameters

    return Around()


def layers():
    found = {}
    hidden = torch.tensor([[False] * TK, [False, False, False, True]])  # lengths 4 and 3
    causal = torch.ones(TQ, TQ, dtype=torch.bool).triu(1)
    for norm_first in (True, False):
        for activation in ("relu", "gelu"):
            options = dict(dropout=0.0, activation=activation, batch_first=True,
                           norm_first=norm_first)
            name = ("pre_" if norm_first else "post_") + activation
            encoder = fill(nn.TransformerEncoderLayer(D, H, F, **options))
            found["encoder_" + name] = case(
                lambda_module(encoder, lambda x: encoder(x, src_key_padding_mask=hidden)),
                {"x": rounded((B, TK, D))})
            decoder = fill(nn.TransformerDecoderLayer(D, H, F, **options))
            found["decoder_" + name] = case(
                lambda_module(decoder, lambda x, m: decoder(
                    x, m, tgt_mask=causal, memory_key_padding_mask=hidden)),
                {"x": rounded((B, TQ, D)), "memory": rounded((B, TK, D))})
    return found


def loss():
    features, weight, bias = rounded((7, D)), rounded((11, D)), rounded((11,))
    targets = torch.randint(0, 11, (7,))
    found = {"features": plain(features), "weight": plain(weight), "bias": plain(bias),
             "targets": targets.tolist(), "cases": []}
    for smoothing in (0.0, 0.1):
        leaves = [x.clone().requires_grad_() for x in (features, weight, bias)]
        logits = functional.linear(*leaves)
        value = functional.cross_entropy(logits, targets, label_smoothing=smoothing,
                                         reduction="sum")
        value.backward()
        found["cases"].append({
            "smoothing": smoothing, "loss": value.item(),
            "nll": functional.cross_entropy(logits, targets, reduction="sum").item(),
            "correct": int((logits.argmax(-1) == targets).sum()),
            "gradients": [plain(x.grad) for x in leaves]})
    return found


if __name__ == "__main__":
    torch.manual_seed(1)
    torch.set_num_threads(1)
    golden = {"torch": torch.__version__, "attention": attention(), "layers": layers(),
              "loss": loss()}
    out = Path(__file__).resolve().parents[2] / "tests" / "golden" / "nn_layers.json"
    out.write_text(json.dumps(golden, separators=(",", ":")) + "\n", encoding="utf-8")
