#!/usr/bin/env python3
"""References for recurrent layers and their attention: PyTorch's nn.LSTM and nn.GRU on packed
sequences, and additive attention in NumPy, gradients by hand.

usage: nn_recurrent.py  -> tests/golden/nn_recurrent.json (pinned: torch 2.13.0, CPU, one thread)

Weights are multiples of 1/16 and inputs of 1/8, so that the file is small and exact. A text of no
token, which PyTorch refuses to pack, is left out there and has outputs of 0 here.
"""

import json
from pathlib import Path

import numpy
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

IN, HIDDEN, LENGTHS, LEN = 5, 3, [3, 0, 6, 1, 6], 6
QUERIES, KEYS, DEPTH = 2, 4, 5


def rounded(shape, steps=8):
    return torch.randint(-12, 13, shape).float() / steps


def plain(x):
    x = torch.as_tensor(x)
    return {"shape": list(x.shape), "values": [float(f"{v:.9g}") for v in x.flatten().tolist()]}


def of_all(state, real):
    """What each text ends with [layers x directions, B, H], 0 for one of no token."""
    out = torch.zeros(state.shape[0], len(LENGTHS), HIDDEN)
    out[:, real] = state.detach()
    return out


def layers(kind, bidirectional):
    """Two layers; the gradient is that of sum(output * w)."""
    module = kind(IN, HIDDEN, num_layers=2, batch_first=True, bidirectional=bidirectional)
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.copy_(rounded(parameter.shape, 16))
    x = rounded((len(LENGTHS), LEN, IN)).requires_grad_()
    weight = rounded((len(LENGTHS), LEN, HIDDEN * (2 if bidirectional else 1)))
    real = [row for row, length in enumerate(LENGTHS) if length > 0]
    packed = pack_padded_sequence(x[real], [LENGTHS[row] for row in real], batch_first=True,
                                  enforce_sorted=False)
    states, last = module(packed)
    found, _ = pad_packed_sequence(states, batch_first=True, total_length=LEN)
    output = torch.zeros_like(weight)
    output[real] = found
    (output * weight).sum().backward()
    return {
        "inputs": {"x": plain(x.detach())},
        "parameters": {k: plain(v.detach()) for k, v in module.named_parameters()},
        "output": plain(output.detach()),
        "output_weight": plain(weight),
        "last": {name: plain(of_all(state, real)) for name, state in
                 zip(("hidden", "cell"), last if isinstance(last, tuple) else (last,))},
        "input_gradients": {"x": plain(x.grad)},
        "parameter_gradients": {k: plain(v.grad) for k, v in module.named_parameters()},
    }


def additive():
    """softmax(v . tanh(W q + U k + b)) k, a row of length 0 among others."""
    lengths = [4, 0, 2]
    rows = len(lengths)
    q, k = rounded((rows, QUERIES, DEPTH)).numpy(), rounded((rows, KEYS, DEPTH)).numpy()
    w, u = rounded((DEPTH, DEPTH), 16).numpy(), rounded((DEPTH, DEPTH), 16).numpy()
    b, v = rounded((DEPTH,), 16).numpy(), rounded((DEPTH,), 16).numpy()
    out_weight = rounded((rows, QUERIES, DEPTH)).numpy()
    q, k, w, u, b, v, out_weight = (x.astype(numpy.float64) for x in (q, k, w, u, b, v, out_weight))

    weights = numpy.zeros((rows, QUERIES, KEYS))
    output = numpy.zeros((rows, QUERIES, DEPTH))
    dq, dk = numpy.zeros_like(q), numpy.zeros_like(k)
    dw, du, db, dv = (numpy.zeros_like(x) for x in (w, u, b, v))
    for i, length in enumerate(lengths):
        for t in range(QUERIES):
            if length == 0:
                continue
            keys = k[i, :length]
            inner = numpy.tanh(w @ q[i, t] + keys @ u.T + b)  # [length, DEPTH]
            scores = inner @ v
            p = numpy.exp(scores - scores.max())
            p /= p.sum()
            weights[i, t, :length] = p
            output[i, t] = p @ keys

            g = out_weight[i, t]
            dk[i, :length] += numpy.outer(p, g)
            dp = keys @ g
            ds = p * (dp - p @ dp)
            dv += ds @ inner
            dpre = numpy.outer(ds, v) * (1 - inner**2)  # [length, DEPTH]
            db += dpre.sum(0)
            dw += numpy.outer(dpre.sum(0), q[i, t])
            du += dpre.T @ keys
            dq[i, t] += w.T @ dpre.sum(0)
            dk[i, :length] += dpre @ u
    parameters = {"query_proj.weight": w, "key_proj.weight": u, "key_proj.bias": b,
                  "score_weight": v}
    gradients = {"query_proj.weight": dw, "key_proj.weight": du, "key_proj.bias": db,
                 "score_weight": dv}
    return {
        "lengths": lengths,
        "inputs": {"query": plain(q), "memory": plain(k)},
        "parameters": {name: plain(x) for name, x in parameters.items()},
        "output": plain(output),
        "weights": plain(weights),
        "output_weight": plain(out_weight),
        "input_gradients": {"query": plain(dq), "memory": plain(dk)},
        "parameter_gradients": {name: plain(x) for name, x in gradients.items()},
    }


def main():
    torch.manual_seed(6)
    torch.set_num_threads(1)
    found = {"lengths": LENGTHS, "additive": additive()}
    for kind in (nn.LSTM, nn.GRU):
        for bidirectional in (False, True):
            name = f"{kind.__name__.lower()}_{'both' if bidirectional else 'one'}"
            found[name] = layers(kind, bidirectional)
    out = Path(__file__).resolve().parents[2] / "tests/golden/nn_recurrent.json"
    out.write_text(json.dumps(found), "utf-8")


if __name__ == "__main__":
    main()
