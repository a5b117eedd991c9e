#!/usr/bin/env python3
"""References for positions inside attention and for the blocks of newer models.

usage: nn_family.py  -> tests/golden/nn_family.json
(pinned: torch 2.13.0, transformers 5.24.0, numpy 2; CPU, one thread)

Rotary positions, SwiGLU and RMSNorm as in transformers' LLaMA (a whole layer, output and
gradients), the relative bias as in its T5, ALiBi as in its BLOOM, and NumPy for what has no module
there. Weights are multiples of 1/16 and inputs of 1/8, as in nn_layers.py.
"""

import json
from pathlib import Path

import numpy
import torch
import transformers
from torch import nn
from transformers.models.bloom.modeling_bloom import build_alibi_tensor
from transformers.models.llama import modeling_llama as llama
from transformers.models.t5.modeling_t5 import T5Attention

from nn_layers import case, fill, lambda_module, plain, rounded

D, H, HKV, DH, F, B, T = 8, 4, 2, 6, 10, 2, 5


def llama_config(rope=None, length=64):
    return transformers.LlamaConfig(
        hidden_size=D, intermediate_size=F, num_attention_heads=H, num_key_value_heads=HKV,
        head_dim=DH, max_position_embeddings=length, rms_norm_eps=1e-6, vocab_size=4,
        num_hidden_layers=1, attn_implementation="eager",
        rope_parameters=rope or {"rope_type": "default", "rope_theta": 100.0})


def turns(config, x, first):
    positions = torch.arange(first, first + x.shape[2])[None]
    return llama.LlamaRotaryEmbedding(config)(x, positions)


def rotary():
    """Queries as turned; `ntk`: what "dynamic" gives for a text twice as long as trained."""
    x = rounded((B, H, T, DH))
    found = {"x": plain(x), "cases": []}
    kinds = [("none", 0, 1.0, None), ("none", 3, 1.0, None), ("none", 700, 1.0, None),
             ("linear", 3, 4.0, {"rope_type": "linear", "rope_theta": 100.0, "factor": 4.0})]
    for scaling, first, factor, rope in kinds:
        cos, sin = turns(llama_config(rope), x, first)
        turned, _ = llama.apply_rotary_pos_emb(x, x, cos, sin)
        found["cases"].append({"scaling": scaling, "factor": factor, "first": first, "base": 100.0,
                               "turned": plain(turned)})
    dynamic = {"rope_type": "dynamic", "rope_theta": 100.0, "factor": 1.0}
    trained = 8
    module = llama.LlamaRotaryEmbedding(llama_config(dynamic, trained))
    cos, sin = module(x, torch.arange(2 * trained)[None])  # the longest position sets the base
    turned, _ = llama.apply_rotary_pos_emb(x, x, cos[:, :T], sin[:, :T])
    found["cases"].append({"scaling": "ntk", "factor": 2.0, "first": 0, "base": 100.0,
                           "turned": plain(turned)})
    return found


def alibi():
    """The paper's bias for every pair, with BLOOM's slopes."""
    found = []
    for heads in (1, 2, 4, 6, 8, 12):
        last = build_alibi_tensor(torch.ones(1, 2, dtype=torch.long), heads, torch.float32)
        slopes = last[:, 0, 1].numpy()
        place = numpy.arange(4)
        distance = numpy.abs(place[None, :] - place[:, None])
        bias = -slopes[:, None, None] * distance
        found.append({"heads": heads, "bias": plain(torch.tensor(bias))})
    return found


def t5_attention(decoder):
    config = transformers.T5Config(
        d_model=D, d_kv=DH, num_heads=H, relative_attention_num_buckets=8,
        relative_attention_max_distance=10, is_decoder=decoder, dropout_rate=0.0)
    module = fill(T5Attention(config, has_relative_attention_bias=True, layer_idx=0)).eval()
    length = 14
    x = rounded((B, length, D))
    mask = torch.zeros(1, 1, length, length)
    if decoder:
        mask.masked_fill_(torch.ones(length, length, dtype=torch.bool).triu(1), float("-inf"))
    output = module(x, mask=mask)
    distance = torch.arange(-40, 41)
    return {
        "x": plain(x), "output": plain(output[0].detach()),
        "parameters": {k: plain(v.detach()) for k, v in module.named_parameters()},
        "bias": plain(module.compute_bias(3, length)[0].detach()),
        "buckets": {"first": -40, "values": T5Attention._relative_position_bucket(
            distance, bidirectional=not decoder, num_buckets=32, max_distance=128).tolist()},
    }


def llama_layer():
    config = llama_config()
    layer = fill(llama.LlamaDecoderLayer(config, layer_idx=0)).eval()
    hidden = torch.ones(T, T, dtype=torch.bool).triu(1)
    mask = torch.zeros(1, 1, T, T).masked_fill(hidden, torch.finfo(torch.float32).min)
    x = rounded((B, T, D))
    embeddings = turns(config, x[:, None], 0)

    def call(x):
        found = layer(x, attention_mask=mask, position_embeddings=embeddings)
        return found[0] if isinstance(found, tuple) else found

    return case(lambda_module(layer, call), {"x": x})


def norms():
    norm = fill(nn.RMSNorm(D, eps=1e-6))
    return {"rms": case(norm, {"x": rounded((B, T, D))})}


def swiglu():
    mlp = fill(llama.LlamaMLP(llama_config()))
    return case(mlp, {"x": rounded((B, T, D))})


if __name__ == "__main__":
    torch.manual_seed(1)
    torch.set_num_threads(1)
    golden = {"torch": torch.__version__, "transformers": transformers.__version__,
              "rotary": rotary(), "alibi": alibi(),
              "t5": {"encoder": t5_attention(False), "decoder": t5_attention(True)},
              "llama_layer": llama_layer(), "norms": norms(), "swiglu": swiglu()}
    out = Path(__file__).resolve().parents[2] / "tests" / "golden" / "nn_family.json"
    out.write_text(json.dumps(golden, separators=(",", ":")) + "\n", encoding="utf-8")
