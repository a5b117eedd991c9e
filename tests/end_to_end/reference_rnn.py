"""Recurrent models, written again from the papers in plain PyTorch (float64), reading nothing of heed
but model.safetensors and config.json. What heed shows must be what this computes.

Cells as in torch.nn.LSTMCell and GRUCell; layer norm as in Ba et al., 2016; attention as in Bahdanau et
al., 2015, and Luong et al., 2015; pooling as in Yang et al., 2016.
"""
import json
import math
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
from safetensors.torch import load_file  # noqa: E402


class ReferenceRnn:
    """One text at a time. `attention` gathers (kind, layer, weights [1, Tq, Tk])."""

    def __init__(self, checkpoint: Path):
        config = json.loads((checkpoint.parents[1] / "config.json").read_text())
        self.model, self.rnn = config["model"], config["model"]["rnn"]
        tensors = load_file(checkpoint / "model.safetensors")
        self.weights = {name: tensor.double() for name, tensor in tensors.items()}
        self.attention = []

    def linear(self, x, name):
        return x @ self.weights[name + ".weight"].T + self.weights.get(name + ".bias", 0.0)

    def embed(self, ids, side):
        name = f"{side}.embed_tokens.weight"
        table = self.weights[name if name in self.weights else "embed_tokens.weight"]
        return table[torch.tensor(ids)] * math.sqrt(self.model["d_model"])

    def product(self, x, name, suffix):
        """W x + b, normalized before the bias where the cell has layer norm."""
        product = x @ self.weights[f"{name}.weight_{suffix}"].T
        bias = self.weights[f"{name}.bias_{suffix}"]
        if not self.rnn["layer_norm"]:
            return product + bias
        return torch.layer_norm(product, product.shape[-1:], self.weights[f"{name}.norm_{suffix}"], bias)

    def step(self, gates, state, name):
        """gates: the input's share."""
        hidden, cell = state
        recurrent = self.product(hidden, name, "hh")
        if self.rnn["cell"] == "gru":
            (r, z, n), (hr, hz, hn) = gates.chunk(3), recurrent.chunk(3)
            z = torch.sigmoid(z + hz)
            n = torch.tanh(n + torch.sigmoid(r + hr) * hn)
            return (1 - z) * n + z * hidden, None
        i, f, g, o = (gates + recurrent).chunk(4)
        cell = torch.sigmoid(f) * cell + torch.sigmoid(i) * torch.tanh(g)
        inner = cell
        if self.rnn["layer_norm"]:
            inner = torch.layer_norm(cell, cell.shape, self.weights[f"{name}.norm_cell"],
                                     self.weights[f"{name}.bias_cell"])
        return torch.sigmoid(o) * torch.tanh(inner), cell

    def run(self, x, name):
        width = self.weights[f"{name}.weight_hh"].shape[1]
        state = (torch.zeros(width).double(), torch.zeros(width).double())
        states = []
        for gates in self.product(x, name, "ih"):
            state = self.step(gates, state, name)
            states.append(state[0])
        return torch.stack(states)

    def encode(self, ids):
        x = self.embed(ids, "encoder")
        for layer in range(self.model["enc_layers"]):
            name = f"encoder.layers.{layer}"
            both = [self.run(x, f"{name}.forward")]
            if self.rnn["bidirectional"]:
                both.append(self.run(x.flip(0), f"{name}.backward").flip(0))
            x = torch.cat(both, -1)
        return x

    def first_states(self, memory):
        layers, width = self.model["dec_layers"], self.model["d_model"]
        last = memory[-1]
        if self.rnn["bidirectional"]:
            last = torch.cat([memory[-1][:width // 2], memory[0][width // 2:]])
        if self.rnn["init"] == "zero":
            parts = [torch.zeros(width).double()] * (2 * layers)
        elif self.rnn["init"] == "last":
            parts = [last] * (2 * layers)
        else:
            parts = torch.tanh(self.linear(last, "decoder.bridge")).split(width)
        cells = parts[layers:] if self.rnn["cell"] == "lstm" else [None] * layers
        return list(zip(parts[:layers], cells))

    def scores(self, state, memory):
        name = "decoder.attention"
        if self.rnn["attention"] == "dot":
            return memory @ state
        keys = self.linear(memory, f"{name}.key_proj")
        if self.rnn["attention"] == "general":
            return keys @ state
        inner = torch.tanh(self.linear(state, f"{name}.query_proj") + keys)
        return inner @ self.weights[f"{name}.score_weight"]

    def decode(self, ids, memory):
        states = self.first_states(memory)
        fed = torch.zeros(self.model["d_model"]).double()
        features, rows = [], []
        for embedded in self.embed(ids, "decoder"):
            x = embedded
            for layer in range(self.model["dec_layers"]):
                name = f"decoder.layers.{layer}"
                gates = self.product(x, name, "ih")
                if layer == 0 and self.rnn["input_feeding"]:
                    gates = gates + self.linear(fed, "decoder.feed")
                states[layer] = self.step(gates, states[layer], name)
                x = states[layer][0]
            weights = torch.softmax(self.scores(x, memory), -1)
            fed = torch.tanh(self.linear(torch.cat([x, weights @ memory]), "decoder.readout"))
            features.append(fed)
            rows.append(weights)
        self.attention.append(("cross", 0, torch.stack(rows)[None]))
        return torch.stack(features)

    def log_probabilities(self, features, pieces):
        names = ("output_projection.weight", "decoder.embed_tokens.weight", "embed_tokens.weight")
        table = next(self.weights[name] for name in names if name in self.weights)
        return torch.log_softmax(features @ table[:pieces].T, -1)

    def classify(self, ids):
        features = self.encode(ids)
        keys = torch.tanh(self.linear(features, "pooling.key_proj"))
        weights = torch.softmax(keys @ self.weights["pooling.score_weight"], -1)
        self.attention.append(("cross", 0, weights[None, None]))
        return self.linear(weights @ features, "classifier")
