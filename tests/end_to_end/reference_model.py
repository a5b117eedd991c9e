"""The Transformer, written again from the papers in plain PyTorch (float64), reading nothing of heed
but model.safetensors and config.json. What heed shows must be what this computes.

Vaswani et al., 2017, https://arxiv.org/abs/1706.03762; pre-norm as in Xiong et al., 2020.
"""
import json
import math
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
from safetensors.torch import load_file  # noqa: E402


def softmax_attention(q, k, v, allowed):
    """[H, Tq, Dh], [H, Tk, Dh] -> context [H, Tq, Dh], weights [H, Tq, Tk]."""
    scores = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.softmax(scores, -1)
    return weights @ v, weights


def sinusoidal(length, d_model):
    position = torch.arange(length, dtype=torch.float64)[:, None]
    rate = 10000.0 ** (-torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
    table = torch.zeros(length, d_model, dtype=torch.float64)
    table[:, 0::2] = torch.sin(position * rate)
    table[:, 1::2] = torch.cos(position * rate)[:, : d_model // 2]
    return table


class ReferenceModel:
    """One sentence at a time: lists of ids in, tensors without a batch dimension out."""

    def __init__(self, checkpoint: Path):
        self.config = json.loads((checkpoint / "config.json").read_text())
        self.model = self.config["model"]
        self.weights = {name: tensor.double()
                        for name, tensor in load_file(checkpoint / "model.safetensors").items()}
        self.attention = []  # (kind, layer, weights [H, Tq, Tk]) in the order of computation

    def linear(self, name, x):
        y = x @ self.weights[f"{name}.weight"].T
        bias = self.weights.get(f"{name}.bias")
        return y if bias is None else y + bias

    def norm(self, name, x):
        return torch.nn.functional.layer_norm(x, x.shape[-1:], self.weights[f"{name}.weight"],
                                              self.weights[f"{name}.bias"], 1e-5)

    def multi_head(self, name, query, memory, allowed, kind, layer):
        heads = self.model["heads"]
        kv_heads = self.model["kv_heads"] or heads

        def split(x, count):
            return x.unflatten(-1, (count, -1)).transpose(0, 1)  # [count, T, Dh]

        q = split(self.linear(f"{name}.q_proj", query), heads)
        k = split(self.linear(f"{name}.k_proj", memory), kv_heads)
        v = split(self.linear(f"{name}.v_proj", memory), kv_heads)
        k, v = (x.repeat_interleave(heads // kv_heads, 0) for x in (k, v))
        context, weights = softmax_attention(q, k, v, allowed)
        self.attention.append((kind, layer, weights))
        return self.linear(f"{name}.out_proj", context.transpose(0, 1).flatten(1))

    def feed_forward(self, name, x):
        activate = {"relu": torch.relu, "gelu": torch.nn.functional.gelu}[self.model["activation"]]
        return self.linear(f"{name}.fc2", activate(self.linear(f"{name}.fc1", x)))

    def residual(self, norm, x, sublayer):
        if self.model["norm_position"] == "pre":
            return x + sublayer(self.norm(norm, x))
        return self.norm(norm, x + sublayer(x))

    def embedding(self, stack):
        shared = self.weights.get("embed_tokens.weight")
        return self.weights[f"{stack}.embed_tokens.weight"] if shared is None else shared

    def embed(self, stack, ids):
        x = self.embedding(stack)[torch.tensor(ids)] * math.sqrt(self.model["d_model"])
        if self.model["positions"] == "sinusoidal":
            x = x + sinusoidal(len(ids), self.model["d_model"])
        elif self.model["positions"] == "learned":
            x = x + self.weights[f"{stack}.input.positions.weight"][: len(ids)]
        return x

    def encode(self, ids):
        x = self.embed("encoder", ids)
        for n in range(self.model["enc_layers"]):
            name = f"encoder.layers.{n}"
            x = self.residual(f"{name}.self_attn_layer_norm", x, lambda y: self.multi_head(
                f"{name}.self_attn", y, y, None, "encoder", n))
            x = self.residual(f"{name}.feed_forward_layer_norm", x, lambda y: self.feed_forward(
                f"{name}.feed_forward", y))
        return self.norm("encoder.layer_norm", x) if self.model["norm_position"] == "pre" else x

    def decode(self, ids, memory):
        x = self.embed("decoder", ids)
        causal = torch.ones(len(ids), len(ids), dtype=torch.bool).tril()
        for n in range(self.model["dec_layers"]):
            name = f"decoder.layers.{n}"
            x = self.residual(f"{name}.self_attn_layer_norm", x, lambda y: self.multi_head(
                f"{name}.self_attn", y, y, causal, "decoder", n))
            x = self.residual(f"{name}.cross_attn_layer_norm", x, lambda y: self.multi_head(
                f"{name}.cross_attn", y, memory, None, "cross", n))
            x = self.residual(f"{name}.feed_forward_layer_norm", x, lambda y: self.feed_forward(
                f"{name}.feed_forward", y))
        return self.norm("decoder.layer_norm", x) if self.model["norm_position"] == "pre" else x

    def log_probabilities(self, features, pieces):
        """[T, D] -> [T, pieces]; rows of the embedding past the vocabulary are no pieces."""
        weight = self.weights.get("output_projection.weight", self.embedding("decoder")
                                  if self.model["tie"] != "none" else None)
        return torch.log_softmax(features @ weight[:pieces].T, -1)

    def classify(self, ids):
        """-> logits [classes]"""
        features = self.encode(ids)
        pooled = {"mean": features.mean(0), "max": features.amax(0),
                  "cls": features[-1]}[self.model["pooling"]]
        return self.linear("classifier", pooled)
