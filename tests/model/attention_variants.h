#pragma once

#include "model/attention_registry.h"
#include "model/examples.h"

// The variants of attention that the tests of attention run over: all of the registry, so a new one
// is covered by its line there.

namespace heed::test {

/// What a variant is tried on.
struct AttentionShape {
  int64_t batch, heads, d_model, query_len, key_len;
};

/// A registered variant, or one whose pattern or k is so small that short sequences feel it.
struct Variant {
  std::string type;
  bool narrow = false;

  bool pattern() const { return type == "window" || type == "longformer" || type == "bigbird"; }
  std::string name() const { return type + (narrow ? " (narrow)" : ""); }

  config::Model config(int64_t d_model, int64_t heads) const {
    config::Model config{.d_model = d_model, .heads = type == "single_head" ? 1 : heads};
    config.attention.type = type;
    if (!narrow) return config;
    if (type == "top_k") {
      config.attention.top_k = 2;
      return config;
    }
    config.attention.window = 2;
    config.attention.random = 2;
    config.attention.block = 2;
    if (type != "window") config.attention.global_positions = {1};
    return config;
  }
};

inline std::vector<Variant> self_variants() {
  std::vector<Variant> variants;
  for (const auto& type : model::attention_types()) {
    variants.push_back({type});
    if (variants.back().pattern() || type == "top_k") variants.push_back({type, /*narrow=*/true});
  }
  return variants;
}

inline std::vector<Variant> variants() {
  std::vector<Variant> variants;
  for (const auto& type : model::attention_types()) variants.push_back({type});
  variants.push_back({"top_k", /*narrow=*/true});
  return variants;
}

inline std::shared_ptr<nn::Attention> make_variant(const Variant& variant, const std::string& impl,
                                                   int64_t d_model, int64_t heads,
                                                   model::Role role = model::Role::kEncoder) {
  auto config = variant.config(d_model, heads);
  config.attention.impl = impl;
  return model::make_attention(config, role);
}

/// A variant and what it attends with.
struct Sample {
  std::shared_ptr<nn::Attention> attention;
  torch::Tensor query;    // [B, Tq, D]
  torch::Tensor memory;   // [B, Tk, D]
  torch::Tensor lengths;  // [B], some of them 0
};

inline Sample make_sample(const Variant& variant, const AttentionShape& shape,
                          model::Role role = model::Role::kCross) {
  Sample sample{
      .attention = make_variant(variant, "auto", shape.d_model, shape.heads, role),
      .query = torch::randn({shape.batch, shape.query_len, shape.d_model}),
      .memory = torch::randn({shape.batch, shape.key_len, shape.d_model}),
      .lengths = torch::randint(0, shape.key_len + 1, {shape.batch}, torch::kLong),
  };
  sample.lengths[0] = 0;
  return sample;
}

}  // namespace heed::test
