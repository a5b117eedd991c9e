#include "config/model.h"

#include <algorithm>

#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>

#include "base/error.h"
#include "config/choice.h"

namespace heed::config {
namespace {

using Words = std::vector<std::string>;

bool among(const std::string& word, const Words& words) {
  return std::ranges::find(words, word) != words.end();
}

/// A key that only some choices of another key read. `set`: it differs from its default.
struct Reserved {
  const char* key;
  bool set;
  Words readers;
};

/// Throws for a key that was set for nothing.
void refuse_unread(const std::string& path, const std::string& chooser, const std::string& choice,
                   const std::vector<Reserved>& keys) {
  for (const auto& [key, set, readers] : keys) {
    if (!set || among(choice, readers)) continue;
    throw ConfigError(fmt::format("{0}.{1}: read only where {0}.{2} is {3}, and it is '{4}'", path,
                                  key, chooser, fmt::join(readers, ", "), choice));
  }
}

void check_heads(const std::string& path, const Model& model) {
  const auto d_model = model.d_model;
  const auto heads = model.heads;
  const auto kv_heads = model.kv_heads;
  if (model.head_dim == 0 && d_model % heads != 0) {
    throw ConfigError(
        fmt::format("{0}.heads: {1} heads do not divide {0}.d_model, which is {2}; "
                    "choose another number, or give {0}.head_dim",
                    path, heads, d_model));
  }
  if (kv_heads != 0 && heads % kv_heads != 0) {
    throw ConfigError(fmt::format("{0}.kv_heads: {1} heads do not divide {0}.heads, which is {2}",
                                  path, kv_heads, heads));
  }
  if (!model.attention.out_proj && heads * model.value_depth() != d_model) {
    throw ConfigError(
        fmt::format("{0}.attention.out_proj: without it {1} heads of {2} values must make up "
                    "{0}.d_model, which is {3}; set {0}.attention.value_dim",
                    path, heads, model.value_depth(), d_model));
  }
}

void check_relative(const std::string& path, const Model& model) {
  if (model.relative_buckets < 4 || model.relative_buckets % 2 != 0) {
    throw ConfigError(fmt::format("{}.relative_buckets: must be even and at least 4, got {}", path,
                                  model.relative_buckets));
  }
  if (model.relative_max_distance <= model.relative_buckets / 2) {
    throw ConfigError(
        fmt::format("{0}.relative_max_distance: must be above half of {0}.relative_buckets, the "
                    "{1} distances with a bucket each, got {2}",
                    path, model.relative_buckets / 2, model.relative_max_distance));
  }
}

/// Longer texts than those trained on.
void check_scaling(const std::string& path, const Model& model) {
  if ((model.position_scaling == "none") != (model.position_factor == 1.0)) {
    throw ConfigError(
        fmt::format("{0}.position_factor: {1} under {0}.position_scaling '{2}' changes nothing; "
                    "give both or neither",
                    path, model.position_factor, model.position_scaling));
  }
  if (model.position_scaling == "none") return;
  const auto able = model.position_scaling == "ntk" ? Words{"sinusoidal", "rotary"}
                                                    : Words{"sinusoidal", "learned", "rotary"};
  if (!among(model.positions, able)) {
    throw ConfigError(
        fmt::format("{0}.position_scaling: '{1}' scales {2} positions, and "
                    "{0}.positions is '{3}'",
                    path, model.position_scaling, fmt::join(able, ", "), model.positions));
  }
  const bool rotary = model.positions == "rotary";
  if (model.position_scaling == "ntk" && (rotary ? model.key_depth() : model.d_model) <= 2) {
    throw ConfigError(
        fmt::format("{0}.position_scaling: 'ntk' needs more than 2 features, and "
                    "{0}.{1} is 2",
                    path, rotary ? "head_dim" : "d_model"));
  }
}

void check_positions(const std::string& path, const Model& model) {
  const Model usual;
  refuse_unread(
      path, "positions", model.positions,
      {{"rotary_base", model.rotary_base != usual.rotary_base, {"rotary"}},
       {"relative_buckets", model.relative_buckets != usual.relative_buckets, {"relative"}},
       {"relative_max_distance",
        model.relative_max_distance != usual.relative_max_distance,
        {"relative"}}});
  if (model.positions == "sinusoidal" && model.d_model % 2 != 0) {
    throw ConfigError(
        fmt::format("{0}.positions: sinusoidal ones come in pairs, so {0}.d_model must be even, "
                    "got {1}",
                    path, model.d_model));
  }
  if (model.positions == "rotary" && model.key_depth() % 2 != 0) {
    throw ConfigError(
        fmt::format("{0}.positions: rotary ones turn pairs of features, so the depth of a head, "
                    "{0}.head_dim or {0}.d_model / {0}.heads, must be even, got {1}",
                    path, model.key_depth()));
  }
  if (model.positions == "relative") check_relative(path, model);
  check_scaling(path, model);
}

void check_directions(const std::string& path, const Model& model) {
  if (!model.rnn.bidirectional || model.d_model % 2 == 0) return;
  throw ConfigError(
      fmt::format("{0}.d_model: two directions share it, so it must be even, got {1}; choose "
                  "another, or set {0}.rnn.bidirectional to false",
                  path, model.d_model));
}

}  // namespace

void check_global_token(const std::string& path, const std::string& token) {
  if (token != "<s>" && token != "<pad>") return;
  throw ConfigError(fmt::format(
      "{}: no source holds '{}'; choose one that stands in texts, or '</s>', the last of each",
      path, token));
}

void Attention::check(const std::string& path) const {
  check_choice(path + ".impl", impl, {"explicit", "fused", "auto"});
  const Attention usual;
  const Words patterns{"window", "longformer", "bigbird"};
  const Words global{"longformer", "bigbird"};
  refuse_unread(path, "type", type,
                {{"top_k", top_k != usual.top_k, {"top_k"}},
                 {"hidden", hidden != usual.hidden, {"additive"}},
                 {"window", window != usual.window, patterns},
                 {"global_positions", !global_positions.empty(), global},
                 {"global_tokens", !global_tokens.empty(), global},
                 {"random", random != usual.random, {"bigbird"}},
                 {"block", block != usual.block, {"bigbird"}}});
  for (const auto position : global_positions) {
    if (position >= 0) continue;
    throw ConfigError(
        fmt::format("{}.global_positions: positions begin at 0, got {}", path, position));
  }
  for (const auto& token : global_tokens) check_global_token(path + ".global_tokens", token);
}

void Model::check(const std::string& path) const {
  check_choice(path + ".type", type, {"transformer", "rnn"});
  check_choice(path + ".norm_position", norm_position, {"pre", "post"});
  check_choice(path + ".norm", norm, {"layer", "rms"});
  check_choice(path + ".activation", activation, {"relu", "gelu", "swiglu"});
  check_choice(path + ".init", init, {"xavier_uniform", "xavier_normal", "kaiming", "small"});
  check_choice(path + ".positions", positions,
               {"sinusoidal", "learned", "none", "rotary", "alibi", "relative"});
  check_choice(path + ".position_scaling", position_scaling, {"none", "linear", "ntk"});
  check_choice(path + ".tie", tie, {"none", "softmax", "all"});
  check_choice(path + ".pooling", pooling, {"cls", "mean", "max"});

  if (vocab_rows != 0 && vocab_multiple > 1) {
    throw ConfigError(
        fmt::format("{0}.vocab_multiple: {1}, but {0}.vocab_rows is {2}; give one of "
                    "them",
                    path, vocab_multiple, vocab_rows));
  }
  if (!residual && residual_scale != 1.0) {
    throw ConfigError(
        fmt::format("{0}.residual_scale: {1}, but {0}.residual is false, so nothing "
                    "is added",
                    path, residual_scale));
  }
  if (recurrent()) {
    check_directions(path, *this);
  } else {
    check_heads(path, *this);
    check_positions(path, *this);
  }
}

}  // namespace heed::config
