#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "inspect/verify_subject.h"
#include "model/transformer_decoder.h"
#include "nn/attention/multi_head.h"
#include "nn/attention/scaled_dot_product.h"
#include "nn/embedding.h"
#include "nn/encoder_layer.h"
#include "nn/linear.h"
#include "nn/positions.h"

namespace heed::test {

/// What can be wrong with a mask.
enum class MaskFault { kNone, kMissing, kInverted, kFirstRowForAll, kFirstHeadOnly };

inline const char* name_of(MaskFault fault) {
  static constexpr const char* kNames[] = {"none", "missing", "inverted", "first row for all",
                                           "first head only"};
  return kNames[static_cast<int>(fault)];
}

/// Attention that gets another mask than it was given. A step of cached decoding, whose mask lies
/// in the cache, is left alone.
class PlantedAttention final : public nn::Attention {
 public:
  PlantedAttention(int64_t d_model, int64_t heads, MaskFault fault) : heads_(heads), fault_(fault) {
    inner_ = std::make_shared<nn::MultiHeadAttentionImpl>(
        nn::MultiHeadOptions{.d_model = d_model, .heads = heads},
        std::make_shared<nn::ScaledDotProductImpl>());
    register_module("inner", inner_);
  }

  torch::Tensor forward(const nn::AttentionInput& input) override {
    auto planted = input;
    if (!input.cache && fault_ != MaskFault::kNone) {
      const auto keys = (input.memory.defined() ? input.memory : input.query).size(1);
      if (planted.visible.causal) spoil_causal(planted.visible, keys);
      if (planted.visible.lengths.defined()) spoil_lengths(planted.visible, keys);
    }
    return inner_->forward(planted);
  }

  std::unique_ptr<nn::AttentionCache> start(int64_t max_len,
                                            const nn::CacheOptions& options) const override {
    return inner_->start(max_len, options);
  }
  std::unique_ptr<nn::AttentionCache> remember(const torch::Tensor& memory,
                                               const torch::Tensor& lengths,
                                               const nn::CacheOptions& options) const override {
    return inner_->remember(memory, lengths, options);
  }

 private:
  /// all: bool [any, 1, any, Tk], what a right mask would show
  torch::Tensor spoiled(const torch::Tensor& all) const {
    if (fault_ == MaskFault::kInverted) return ~all;
    if (fault_ == MaskFault::kFirstRowForAll) return all.narrow(0, 0, 1).narrow(2, 0, 1);
    auto heads = torch::ones_like(all).repeat({1, heads_, 1, 1});
    heads.narrow(1, 0, 1).copy_(all);
    return heads;  // the other heads see everything
  }

  void plant(nn::Visible& visible, const torch::Tensor& right) const {
    if (fault_ == MaskFault::kMissing) return;
    const auto wrong = spoiled(right);
    visible.allowed = visible.allowed.defined() ? visible.allowed & wrong : wrong;
  }

  void spoil_causal(nn::Visible& visible, int64_t keys) const {
    visible.causal = false;
    const auto all = torch::ones({keys, keys}, torch::kBool).tril();
    plant(visible, all.view({1, 1, keys, keys}));
  }

  void spoil_lengths(nn::Visible& visible, int64_t keys) const {
    const auto lengths = std::exchange(visible.lengths, torch::Tensor());
    const auto real = torch::arange(keys).unsqueeze(0) < lengths.unsqueeze(1);
    plant(visible, real.view({-1, 1, 1, keys}));
  }

  int64_t heads_;
  MaskFault fault_;
  std::shared_ptr<nn::MultiHeadAttentionImpl> inner_;
};

/// The mask faults of the three kinds of attention.
struct Planted {
  MaskFault encoder = MaskFault::kNone;
  MaskFault decoder = MaskFault::kNone;
  MaskFault cross = MaskFault::kNone;
};

/// A translator of one layer a side made of heed's own parts, whose attention has planted faults.
class PlantedTranslator final : public model::EncoderDecoder {
 public:
  static constexpr int64_t kWidth = 16;
  static constexpr int64_t kHeads = 2;
  static constexpr int64_t kPieces = 30;

  explicit PlantedTranslator(const Planted& planted)
      : embedding_(nn::EmbeddingOptions{.rows = kPieces, .d_model = kWidth}),
        encoder_(nn::LayerOptions{.d_model = kWidth, .d_ff = 32}, attention(planted.encoder)),
        decoder_(nn::LayerOptions{.d_model = kWidth, .d_ff = 32}, attention(planted.decoder),
                 attention(planted.cross)),
        output_(nn::LinearOptions{.in = kWidth, .out = kPieces, .bias = false}) {
    register_module("embedding", embedding_);
    register_module("encoder", encoder_);
    register_module("decoder", decoder_);
    register_module("output", output_);
  }

  model::Memory encode(const model::Sequences& source) override {
    auto* parts = source.trace ? source.trace->add("encoder", 0) : nullptr;
    const auto features = encoder_->forward(
        {.x = embed(source.ids, 0), .visible = {.lengths = source.lengths}, .parts = parts});
    return {.features = features, .lengths = source.lengths};
  }

  torch::Tensor decode(const model::Sequences& target_in, const model::Memory& memory) override {
    nn::AttentionParts self_parts;
    nn::AttentionParts cross_parts;
    auto* trace = target_in.trace;
    const auto features = decoder_->forward({.x = embed(target_in.ids, 0),
                                             .memory = memory.features,
                                             .memory_lengths = memory.lengths,
                                             .self_parts = trace ? &self_parts : nullptr,
                                             .cross_parts = trace ? &cross_parts : nullptr});
    if (trace) *trace->add("decoder", 0) = self_parts;
    if (trace) *trace->add("cross", 0) = cross_parts;
    return features;
  }

  std::unique_ptr<model::DecoderState> start(const model::Memory& memory, int64_t max_len,
                                             const nn::CacheOptions& options) override {
    std::vector<model::TransformerState::Layer> layers;
    layers.push_back({.own = decoder_->start(max_len, options),
                      .memory = decoder_->remember(memory.features, memory.lengths, options)});
    return std::make_unique<model::TransformerState>(std::move(layers), memory.features.size(0),
                                                     torch::kCPU);
  }

  torch::Tensor step(const torch::Tensor& ids, model::DecoderState& state) override {
    auto& own = dynamic_cast<model::TransformerState&>(state);
    const auto& caches = own.layer(0);
    const auto x = embed(ids.unsqueeze(1), own.position());
    return decoder_
        ->forward({.x = x, .cache = caches.own.get(), .memory_cache = caches.memory.get()})
        .squeeze(1);
  }

  torch::Tensor output_weight() const override { return output_->weight(); }
  torch::Tensor output_bias() const override { return {}; }
  torch::Tensor logits(const torch::Tensor& features) const override {
    return output_->forward(features);
  }

 private:
  static std::shared_ptr<nn::Attention> attention(MaskFault fault) {
    return std::make_shared<PlantedAttention>(kWidth, kHeads, fault);
  }

  torch::Tensor embed(const torch::Tensor& ids, int64_t first) const {
    return embedding_->forward(ids) + nn::sinusoids(first, ids.size(1), {.width = kWidth});
  }

  nn::Embedding embedding_;
  nn::EncoderLayer encoder_;
  nn::DecoderLayer decoder_;
  nn::Linear output_;
};

inline inspect::Verified planted(const Planted& faults) {
  const config::Model config{.d_model = PlantedTranslator::kWidth,
                             .heads = PlantedTranslator::kHeads,
                             .d_ff = 32,
                             .enc_layers = 1,
                             .dec_layers = 1,
                             .dropout = 0.0};
  const model::Sizes sizes{.source_pieces = PlantedTranslator::kPieces,
                           .target_pieces = PlantedTranslator::kPieces,
                           .max_len = 20};
  const auto build = [faults](uint64_t seed) {
    torch::manual_seed(static_cast<int64_t>(seed));
    return inspect::Subject(std::make_shared<PlantedTranslator>(faults));
  };
  auto model = build(5);
  model.module().eval();
  return {.config = config, .sizes = sizes, .model = model, .build = build};
}

}  // namespace heed::test
