#!/usr/bin/env python3
"""References from NumPy, written as loops, for the scores and patterns of attention, and from
transformers for Longformer.

usage: nn_attention.py  -> tests/golden/nn_attention.json (numpy 2, transformers 4.57, torch 2.13)

Inputs are multiples of 1/8, so that the file is small and exact; outputs are float64.
"""

import json
import math
from pathlib import Path

import numpy as np

B, H, T, D = 2, 2, 12, 4
LENGTHS = [12, 9]
HIDDEN, TOP_K = 3, 3
WINDOW, GLOBALS, RANDOM, BLOCK = 2, [0, 5], 2, 4

MASK64 = (1 << 64) - 1
GOLDEN_RATIO = 0x9E3779B97F4A7C15
PATTERN_SEED = 0x62696762697264


def scramble(bits):
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9 & MASK64
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EB & MASK64
    return bits ^ (bits >> 31)


def uniforms(numbers, count):
    """SplitMix64, named by a list of numbers (Steele et al., 2014)."""
    state = 0
    for number in numbers:
        state = scramble((state + number + GOLDEN_RATIO) & MASK64)
    drawn = []
    for _ in range(count):
        state = (state + GOLDEN_RATIO) & MASK64
        drawn.append((scramble(state) >> 11) * 2.0**-53)
    return drawn


def rounded(rng, *shape):
    return rng.integers(-12, 13, shape) / 8


def softmax(scores):
    if not scores:
        return []
    top = max(scores)
    exp = [math.exp(s - top) for s in scores]
    return [e / sum(exp) for e in exp]


def attend(score, visible, value):
    """score(b, h, q, k), visible(b, h, q) -> keys; the context [B, H, T, D]"""
    out = np.zeros((B, H, T, D))
    for b in range(B):
        for h in range(H):
            for q in range(T):
                keys = visible(b, h, q)
                for weight, k in zip(softmax([score(b, h, q, k) for k in keys]), keys):
                    out[b, h, q] += weight * value[b, h, k]
    return out


def plain(x):
    x = np.asarray(x, dtype=np.float64)
    return {"shape": list(x.shape), "values": [float(f"{v:.12g}") for v in x.flatten()]}


def random_keys(h, block, causal, length):
    """Without replacement, from what is outside the block's windows and not global."""
    begin = block * BLOCK
    near = range(begin - WINDOW, begin + BLOCK + WINDOW)
    choice = [k for k in range(begin if causal else length) if k not in near and k not in GLOBALS]
    most = min(RANDOM, len(choice))
    drawn = []
    for last, u in zip(range(len(choice) - most, len(choice)),
                       uniforms([PATTERN_SEED, h, block], most)):  # Floyd's sampling
        number = int(u * (last + 1))
        drawn.append(last if number in drawn else number)
    return {choice[number] for number in drawn}


def patterns(causal):
    def real(b, q):
        return range(q + 1) if causal else range(LENGTHS[b])

    def near(b, q):
        return {k for k in real(b, q) if abs(k - q) <= WINDOW}

    def window(b, h, q):
        return sorted(k for k in near(b, q) if k < LENGTHS[b])

    def longformer(b, h, q):
        seen = set(real(b, q)) if q in GLOBALS else near(b, q) | set(GLOBALS)
        return sorted(k for k in seen if k in real(b, q) and k < LENGTHS[b])

    def bigbird(b, h, q):
        keys = random_keys(h, q // BLOCK, causal, LENGTHS[b])
        keys = {k for k in keys if k in real(b, q) and k < LENGTHS[b]}
        return sorted(keys | set(longformer(b, h, q)))

    return {"window": window, "longformer": longformer, "bigbird": bigbird}


def linear(query, key, value, causal):
    def phi(x):
        return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))

    out = np.zeros((B, H, T, D))
    for b in range(B):
        for h in range(H):
            for q in range(T):
                keys = [k for k in range(LENGTHS[b]) if not causal or k <= q]
                similar = [phi(query[b, h, q]) @ phi(key[b, h, k]) for k in keys]
                for s, k in zip(similar, keys):
                    out[b, h, q] += s / sum(similar) * value[b, h, k]
    return out


def best(scores, k):
    """The k best, the first of equal ones."""
    order = sorted(range(len(scores)), key=lambda i: (-scores[i], i))
    return sorted(order[:k])


def scores_of(query, key, weights):
    def dot(b, h, q, k):
        return float(query[b, h, q] @ key[b, h, k])

    def scaled(b, h, q, k):
        return dot(b, h, q, k) / math.sqrt(D)

    def general(b, h, q, k):
        return float(query[b, h, q] @ weights["general"][h] @ key[b, h, k]) / math.sqrt(D)

    def additive(b, h, q, k):
        hidden = np.tanh(
            query[b, h, q] @ weights["query"][h]
            + key[b, h, k] @ weights["key"][h]
            + weights["bias"][h, 0]
        )
        return float(hidden @ weights["score"][h, :, 0])

    return {"dot": dot, "scaled": scaled, "general": general, "additive": additive}


def longformer_of_transformers(rng):
    """Its projections of global tokens set to those of all others."""
    import torch
    from transformers import LongformerConfig
    from transformers.models.longformer.modeling_longformer import LongformerSelfAttention

    config = LongformerConfig(
        hidden_size=H * D,
        num_attention_heads=H,
        attention_window=[2 * WINDOW],
        num_hidden_layers=1,
        attention_probs_dropout_prob=0.0,
    )
    layer = LongformerSelfAttention(config, 0).double().eval()
    weights = {name: torch.tensor(rounded(rng, H * D, H * D) / 2) for name in "qkv"}
    for name, part in (("q", "query"), ("k", "key"), ("v", "value")):
        for module in (getattr(layer, part), getattr(layer, part + "_global")):
            module.weight.data = weights[name]
            module.bias.data.zero_()
    x = torch.tensor(rounded(rng, B, T, H * D))
    mask = torch.zeros(B, T, dtype=torch.float64)
    for b, length in enumerate(LENGTHS):
        mask[b, length:] = -10000.0
        mask[b, [g for g in GLOBALS if g < length]] = 10000.0
    with torch.no_grad():
        out = layer(
            x,
            attention_mask=mask,
            is_index_masked=mask < 0,
            is_index_global_attn=mask > 0,
            is_global_attn=True,
        )[0]
    heads = lambda t: t.unflatten(-1, (H, D)).transpose(1, 2)
    return {
        "query": plain(heads(x @ weights["q"].T)),
        "key": plain(heads(x @ weights["k"].T)),
        "value": plain(heads(x @ weights["v"].T)),
        "context": plain(heads(out)),
    }


def main():
    rng = np.random.default_rng(5)
    query, key, value = (rounded(rng, B, H, T, D) for _ in range(3))
    weights = {
        "general": rounded(rng, H, D, D),
        "query": rounded(rng, H, D, HIDDEN),
        "key": rounded(rng, H, D, HIDDEN),
        "bias": rounded(rng, H, 1, HIDDEN),
        "score": rounded(rng, H, HIDDEN, 1),
    }
    score = scores_of(query, key, weights)
    contexts = {}
    for causal in (False, True):
        def visible(b, h, q, causal=causal):
            return [k for k in range(LENGTHS[b]) if not causal or k <= q]

        def top(b, h, q):
            keys = visible(b, h, q)
            return [keys[i] for i in best([score["scaled"](b, h, q, k) for k in keys], TOP_K)]

        of = contexts["causal" if causal else "both"] = {}
        for name in ("dot", "general", "additive"):
            of[name] = plain(attend(score[name], visible, value))
        of["top_k"] = plain(attend(score["scaled"], top, value))
        of["linear"] = plain(linear(query, key, value, causal))
        for name, pattern in patterns(causal).items():
            of[name] = plain(attend(score["scaled"], pattern, value))
    golden = {
        "query": plain(query),
        "key": plain(key),
        "value": plain(value),
        "lengths": LENGTHS,
        "weights": {name: plain(x) for name, x in weights.items()},
        "top_k": TOP_K,
        "window": WINDOW,
        "global_positions": GLOBALS,
        "random": RANDOM,
        "block": BLOCK,
        "contexts": contexts,
        "transformers_longformer": longformer_of_transformers(rng),
    }
    file = Path(__file__).resolve().parents[2] / "tests/golden/nn_attention.json"
    file.write_text(json.dumps(golden, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
