#!/usr/bin/env python3
"""Plant faults in a copy of the sources, one at a time: each must make a test fail.

usage: plant_faults.py [NAME...]      every fault, or those whose name holds one of the words

The copy and its build lie in build/faults; the sources are not touched. Prints a line a fault, with
the first test that caught it; exits 1 where one got through.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TREE = ROOT / "build" / "faults"
PROGRAMS = ("heed_nn_tests", "heed_model_tests")
ATTENTION = "src/nn/attention/"

# name, file, what stands there, what is planted
FAULTS = [
    ("heads split without transposing", ATTENTION + "multi_head.cpp",
     "return x.unflatten(-1, {-1, depth}).transpose(1, 2);",
     "return x.reshape({x.size(0), -1, x.size(1), depth});"),
    ("heads joined without transposing back", ATTENTION + "multi_head.cpp",
     "context.transpose(1, 2).flatten(2)",
     "context.reshape({context.size(0), context.size(2), -1})"),
    ("query and key share a projection", ATTENTION + "multi_head.cpp",
     'register_module("k_proj", linear(o.d_model, o.kv_heads * o.head_dim))',
     'register_module("k_proj", q_proj_)'),
    ("key and value share a projection", ATTENTION + "multi_head.cpp",
     'register_module("v_proj", linear(o.d_model, o.kv_heads * o.value_dim))',
     'register_module("v_proj", k_proj_)'),
    ("mask inverted", ATTENTION + "explicit_attention.cpp",
     "scores.masked_fill(~allowed, kHidden)", "scores.masked_fill(allowed, kHidden)"),
    ("mask inverted in the fused path", ATTENTION + "scaled_dot_product.cpp",
     "const auto open = allowed | blind;", "const auto open = ~allowed | blind;"),
    ("mask forgotten", ATTENTION + "explicit_attention.cpp",
     "scores = scores.masked_fill(~allowed, kHidden)", "scores = scores + 0.0"),
    ("scale forgotten", ATTENTION + "scaled_dot_product.cpp",
     "1.0 / std::sqrt(static_cast<double>(input.query.size(-1)))", "1.0"),
    ("dropout shown in the weights", ATTENTION + "explicit_attention.cpp",
     "if (input.parts) *input.parts = {query, key, value, scores, weights};",
     "if (input.parts) *input.parts = {query, key, value, scores,"
     " dropout->on_weights(weights, input.noise)};"),
    ("random keys are drawn with replacement", ATTENTION + "random_keys.cpp",
     "drawn.push_back(taken ? last : number);", "drawn.push_back(number);"),
    ("random keys lie in the window", ATTENTION + "random_keys.cpp",
     "number < before ? number : number + skipped", "number"),
    ("the mask of a pattern is a window too wide", ATTENTION + "pattern.cpp",
     ".abs() <= pattern.window;", ".abs() <= 2 * pattern.window;"),
    ("masks are of positions, not of the keys kept", ATTENTION + "kept_visible.cpp",
     "allowed = allowed.index_select(-1, places);",
     "allowed = allowed.narrow(-1, 0, places.size(0));"),
    ("groups of heads are folded in the wrong order", ATTENTION + "multi_head.cpp",
     "return x.unflatten(2, {group, -1}).flatten(1, 2);",
     "return x.unflatten(2, {-1, group}).transpose(2, 3).flatten(1, 2);"),
    ("a window one key too wide", ATTENTION + "blocks.cpp",
     "allowed &= ahead.abs() <= pattern_.window", "allowed &= ahead.abs() <= pattern_.window + 1"),
    ("blocks see the future", ATTENTION + "blocks.cpp",
     "allowed &= ahead <= 0;", "allowed &= ahead <= 1;"),
    ("a key outside the window is met twice", ATTENTION + "blocks.cpp",
     "real & (ahead.abs() > pattern_.window)", "real & (ahead > -key_len_)"),
    ("a block's keys get another block's gradient", "src/nn/kernels/blocked_attention.cpp",
     "all.narrow(1, block.key_first, block.key_len).add_(gradient.narrow(1, 0, block.key_len));",
     "all.narrow(1, 0, block.key_len).add_(gradient.narrow(1, 0, block.key_len));"),
    ("global queries see their window only", ATTENTION + "blocks.cpp",
     "return globals.any() ? with_global_queries(context, input, globals, dropout) : context;",
     "return context;"),
    ("the ring forgets one token early", ATTENTION + "sparse_attention.cpp",
     "const int64_t seen = pattern.window + 1;", "const int64_t seen = pattern.window;"),
    ("the ring overwrites the first few", ATTENTION + "key_value_cache.cpp",
     "sinks_ + (past_ - sinks_) % (room_ - sinks_)", "past_ % room_"),
    ("int8 rows share a scale", ATTENTION + "kept_rows.cpp",
     "wide.abs().amax(-1, /*keepdim=*/true)", "wide.abs().amax().expand({wide.size(0),"
     " wide.size(1), wide.size(2), 1})"),
    ("running sums leave out the newest token", ATTENTION + "linear_attention.cpp",
     "query.size(2) == 1 ? read_sums(query, sums)",
     "query.size(2) == 1 && cache.past() > 0 ? read_sums(query, cache.sums())"),
    ("padding is summed up", ATTENTION + "linear_attention.cpp",
     "features.masked_fill(~real, 0.0)", "features.masked_fill(real.logical_and(~real), 0.0)"),
    ("more than k keys where scores are equal", ATTENTION + "top_k.cpp",
     "(border.cumsum(-1) <= room)", "(room >= 0)"),
    ("padding mask laid along the queries", "src/nn/mask.cpp",
     "return visible.unsqueeze(1).unsqueeze(2);", "return visible.unsqueeze(0).unsqueeze(1);"),
    ("first padded key visible", "src/nn/mask.cpp",
     "position.unsqueeze(0) < lengths", "position.unsqueeze(0) <= lengths"),
    ("next token visible", "src/nn/mask.cpp", "(key <= query)", "(key <= query + 1)"),
    ("causality counted from the top left", "src/nn/mask.cpp",
     "torch::arange(past, past + query_len, index)", "torch::arange(query_len, index)"),
    ("encoder layers are one layer", "src/model/transformer_encoder.cpp",
     "layers_.emplace_back(options, make_attention(config, Role::kEncoder));",
     "layers_.push_back(index == 0"
     " ? nn::EncoderLayer(options, make_attention(config, Role::kEncoder)) : layers_.front());"),
    ("a recurrent text reads one token of padding", "src/nn/recurrent/packing.cpp",
     "<= t) --rows;", "< t) --rows;"),
    ("both directions of a recurrent layer read forward", "src/nn/recurrent/read_texts.cpp",
     "const bool reverse = !states.empty();", "const bool reverse = false;"),
    ("the reset gate is forgotten", "src/nn/kernels/gate_rows.cpp",
     "const Floats n = squash_tanh(input(2) + r * inner);",
     "const Floats n = squash_tanh(input(2) + inner);"),
    ("a hypothesis keeps the state of another", "src/model/rnn_state.cpp",
     "rows_ = rows_.select(rows.to(device));", ""),
    ("padding has weight in recurrent attention", "src/nn/kernels/additive_scores.cpp",
     "row[j] = kHiddenScore;", "row[j] = 0.0f;"),
]


def copy_sources() -> None:
    """The files git knows or would add, as they are now; unchanged ones keep their time stamps."""
    names = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, check=True,
                           capture_output=True, text=True).stdout.splitlines()
    for name in names:
        source, copy = ROOT / name, TREE / name
        if not source.is_file() or copy.is_file() and copy.read_bytes() == source.read_bytes():
            continue
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, copy)
    link = TREE / ".venv"
    if not link.is_symlink():
        link.symlink_to((ROOT / ".venv").resolve())


def build() -> str:
    """What the compiler says where it fails, otherwise nothing."""
    command = ["cmake", "--build", "build", "-j", "2", "--target", *PROGRAMS]
    done = subprocess.run(command, cwd=TREE, capture_output=True, text=True)
    return done.stdout[-3000:] if done.returncode != 0 else ""


def first_failure() -> str | None:
    """The name of the first test that fails, or None."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    for program in PROGRAMS:
        done = subprocess.run([TREE / "build" / "tests" / program, "--abort"], cwd=TREE,
                              env=environment, capture_output=True, text=True)
        if done.returncode != 0:
            before = done.stdout.partition(": FAILED:")[0]  # notes of other tests among it
            found = re.findall(r"^-{20,}\n(.+)\n", before, re.MULTILINE)
            return found[-1] if found else f"{program} ended with {done.returncode}"
    return None


def caught(file: str, right: str, wrong: str) -> str | None:
    path = TREE / file
    text = path.read_text("utf-8")
    if text.count(right) != 1:
        sys.exit(f"plant_faults: {file}: '{right}' stands there {text.count(right)} times, not once")
    try:
        path.write_text(text.replace(right, wrong), "utf-8")
        if failure := build():
            sys.exit(f"plant_faults: {file}: '{wrong}' does not compile:\n{failure}")
        return first_failure()
    finally:
        path.write_text(text, "utf-8")


def main() -> int:
    words = sys.argv[1:]
    copy_sources()
    quiet = "-DCMAKE_CXX_FLAGS=-w"  # what a fault leaves unused is no error
    subprocess.run(["cmake", "--preset", "release", quiet], cwd=TREE, check=True,
                   capture_output=True)
    if failure := build():
        sys.exit(f"plant_faults: the build fails without any fault:\n{failure}")
    if failure := first_failure():
        sys.exit(f"plant_faults: a test fails without any fault: {failure}")
    missed = 0
    for name, *fault in FAULTS:
        if words and not any(word in name for word in words):
            continue
        test = caught(*fault)
        missed += test is None
        print(f"{'caught' if test else 'MISSED'}  {name}{': ' + test if test else ''}", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
