"""The Transformer, written again from the papers in plain PyTorch (float64), reading nothing of heed
but model.safetensors and config.json. What heed shows must be what this computes.

Vaswani et al., 2017, https://arxiv.org/abs/1706.03762; pre-norm as in Xiong et al., 2020; positions,
blocks and scores as in the papers that docs/attention.md names.
"""
import json
import math
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
from safetensors.torch import load_file  # noqa: E402


def angles(length, width, base, model):
    """[length, width / 2], under position_scaling."""
    position = torch.arange(length, dtype=torch.float64)[:, None]
    if model["position_scaling"] == "linear":
        position = position / model["position_factor"]
    if model["position_scaling"] == "ntk":
        base = base * model["position_factor"] ** (width / (width - 2))
    return position * base ** (-torch.arange(0, width, 2, dtype=torch.float64) / width)


def rotated(x, model):
    """[H, T, Dh]: features i and i + Dh / 2 are a complex number that is turned."""
    half = x.shape[-1] // 2
    angle = angles(x.shape[1], x.shape[2], model["rotary_base"], model)
    turned = torch.complex(x[..., :half], x[..., half:]) * torch.exp(1j * angle)
    return torch.cat([turned.real, turned.imag], -1)


def bucket(distance, two_sided, buckets, furthest):
    """T5's: of key - query."""
    side = buckets // 2 if two_sided else buckets
    offset = side if two_sided and distance > 0 else 0
    away = abs(distance) if two_sided else max(-distance, 0)
    near = side // 2
    if away >= near:
        far = near + int(math.log(away / near) / math.log(furthest / near) * (side - near))
        away = min(far, side - 1)
    return offset + away


def sinusoidal(length, d_model, model):
    angle = angles(length, d_model, 10000.0, model)
    table = torch.zeros(length, d_model, dtype=torch.float64)
    table[:, 0::2] = torch.sin(angle)
    table[:, 1::2] = torch.cos(angle)[:, : d_model // 2]
    return table


def interpolated(table, length, model):
    """Rows of learned positions; those between two are mixed from them."""
    place = torch.arange(length, dtype=torch.float64)
    if model["position_scaling"] == "linear":
        place = place / model["position_factor"]
    place = place.clamp(max=table.shape[0] - 1)
    share = (place - place.floor())[:, None]
    return table[place.floor().long()] * (1 - share) + table[place.ceil().long()] * share


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
        if self.model["norm"] == "rms":
            mean_square = x.square().mean(-1, keepdim=True)
            return x / torch.sqrt(mean_square + 1e-6) * self.weights[f"{name}.weight"]
        return torch.nn.functional.layer_norm(x, x.shape[-1:], self.weights[f"{name}.weight"],
                                              self.weights[f"{name}.bias"], 1e-5)

    def multi_head(self, name, query, memory, allowed, kind, layer):
        heads = self.model["heads"]
        kv_heads = self.model["kv_heads"] or heads

        def split(x, count):
            return x.unflatten(-1, (count, -1)).transpose(0, 1)  # [count, T, Dh]

        own = kind != "cross"  # positions and patterns act in self-attention only
        q = split(self.linear(f"{name}.q_proj", query), heads)
        k = split(self.linear(f"{name}.k_proj", memory), kv_heads)
        v = split(self.linear(f"{name}.v_proj", memory), kv_heads)
        k, v = (x.repeat_interleave(heads // kv_heads, 0) for x in (k, v))
        if own and self.model["positions"] == "rotary":
            q, k = rotated(q, self.model), rotated(k, self.model)
        scores = self.scores(f"{name}.core", q, k)
        if own:
            scores = scores + self.bias(name, kind, scores.shape)
            allowed = self.pattern(allowed, scores.shape)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -math.inf)
        if self.model["attention"]["type"] == "top_k":
            kept = min(self.model["attention"]["top_k"], scores.shape[-1])
            worst = scores.topk(kept, -1).values[..., -1:]
            scores = scores.masked_fill(scores < worst, -math.inf)
        weights = torch.softmax(scores, -1)
        self.attention.append((kind, layer, weights))
        context = (weights @ v).transpose(0, 1).flatten(1)
        if not self.model["attention"]["out_proj"]:
            return context
        return self.linear(f"{name}.out_proj", context)

    def scores(self, name, q, k):
        """[H, Tq, Tk], before positions and masks."""
        kind = self.model["attention"]["type"]
        if kind == "additive":
            w = {part: self.weights[f"{name}.{part}"]
                 for part in ("query_weight", "key_weight", "bias", "score_weight")}
            from_query, from_key = q @ w["query_weight"], k @ w["key_weight"] + w["bias"]
            hidden = torch.tanh(from_query[:, :, None] + from_key[:, None])  # [H, Tq, Tk, hidden]
            return torch.einsum("hqki,hi->hqk", hidden, w["score_weight"].squeeze(-1))
        if kind == "general":
            q = q @ self.weights[f"{name}.weight"]
        scale = 1.0 if kind == "dot" else 1 / math.sqrt(q.shape[-1])
        return q @ k.transpose(-1, -2) * scale

    def bias(self, name, kind, shape):
        """[H, Tq, Tk] of ALiBi or T5, else 0."""
        heads, queries, keys = shape
        distance = [[k - q for k in range(keys)] for q in range(queries)]
        if self.model["positions"] == "alibi":
            assert heads & (heads - 1) == 0
            slopes = torch.tensor([2.0 ** (-8 * (h + 1) / heads) for h in range(heads)],
                                  dtype=torch.float64)
            return -slopes[:, None, None] * torch.tensor(distance).abs()
        if self.model["positions"] == "relative":
            buckets = [[bucket(d, kind == "encoder", self.model["relative_buckets"],
                               self.model["relative_max_distance"]) for d in row] for row in distance]
            return self.weights[f"{name}.score_bias.weight"][torch.tensor(buckets)].permute(2, 0, 1)
        return 0.0

    def pattern(self, allowed, shape):
        """What a window, with its global positions, leaves of `allowed`."""
        attention = self.model["attention"]
        if attention["type"] not in ("window", "longformer"):
            return allowed
        query, key = torch.arange(shape[1])[:, None], torch.arange(shape[2])[None]
        seen = (query - key).abs() <= attention["window"]
        for position in attention["global_positions"]:
            seen = seen | (query == position) | (key == position)
        return seen if allowed is None else allowed & seen

    def feed_forward(self, name, x):
        if self.model["activation"] == "swiglu":
            gate = torch.nn.functional.silu(self.linear(f"{name}.gate", x))
            return self.linear(f"{name}.fc2", gate * self.linear(f"{name}.fc1", x))
        activate = {"relu": torch.relu, "gelu": torch.nn.functional.gelu}[self.model["activation"]]
        return self.linear(f"{name}.fc2", activate(self.linear(f"{name}.fc1", x)))

    def residual(self, norm, x, sublayer):
        pre = self.model["norm_position"] == "pre"
        change = sublayer(self.norm(norm, x) if pre else x) * self.model["residual_scale"]
        whole = x + change if self.model["residual"] else change
        return whole if pre else self.norm(norm, whole)

    def embedding(self, stack):
        shared = self.weights.get("embed_tokens.weight")
        return self.weights[f"{stack}.embed_tokens.weight"] if shared is None else shared

    def embed(self, stack, ids):
        x = self.embedding(stack)[torch.tensor(ids)] * math.sqrt(self.model["d_model"])
        if self.model["positions"] == "sinusoidal":
            x = x + sinusoidal(len(ids), self.model["d_model"], self.model)
        elif self.model["positions"] == "learned":
            table = self.weights[f"{stack}.input.positions.weight"]
            x = x + interpolated(table, len(ids), self.model)
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
