#include "model/transformer_decoder.h"

#include <utility>

#include "model/attention_registry.h"
#include "model/choices.h"
#include "model/transformer_encoder.h"
#include "nn/attention/key_value_cache.h"
#include "nn/recompute.h"

namespace heed::model {
namespace {

/// layer(input), to be computed again in the backward pass.
torch::Tensor forward_again(const nn::DecoderLayer& layer, nn::DecoderLayerInput input) {
  std::vector<torch::Tensor> differentiable{std::exchange(input.x, {}),
                                            std::exchange(input.memory, {})};
  return nn::recompute(
      [layer, input = std::move(input)](const std::vector<torch::Tensor>& given) {
        auto whole = input;
        whole.x = given[0];
        whole.memory = given[1];
        return layer->forward(whole);
      },
      std::move(differentiable));
}

/// What bounded caches, which are alike in all layers, would have kept, as a mask [Tt, Tt];
/// undefined where they keep all.
torch::Tensor kept_by(const nn::DecoderLayerImpl& layer, const nn::CacheOptions& caches,
                      const torch::Tensor& ids) {
  if (caches.max == 0) return {};
  const auto cache = layer.start(ids.size(1), caches);
  const auto* growing = dynamic_cast<const nn::GrowingCache*>(cache.get());
  return growing ? growing->kept_mask(ids.size(1), ids.device()) : torch::Tensor();
}

}  // namespace

void TransformerState::select(const torch::Tensor& rows, const torch::Tensor& memory_rows) {
  const int64_t kept = memory_rows.defined() ? memory_rows.numel() : memory_rows_;
  TORCH_CHECK(kept > 0 ? rows.numel() % kept == 0 : rows.numel() == 0, rows.numel(),
              " hypotheses do not share ", kept, " memory rows evenly");
  const auto own = rows.to(device_);
  const auto shared = memory_rows.defined() ? memory_rows.to(device_) : memory_rows;
  for (const auto& layer : layers_) {
    layer.own->select(own);
    if (shared.defined()) layer.memory->select(shared);
  }
  rows_ = rows.numel();
  memory_rows_ = kept;
}

TransformerDecoderImpl::TransformerDecoderImpl(const config::Model& config, nn::Embedding embedding,
                                               int64_t max_len) {
  const auto options = layer_options(config);
  input_ = register_module("input", TokenInput(std::move(embedding),
                                               positions_options(config, max_len), config.dropout));
  torch::nn::ModuleList list;
  for (int64_t index = 0; index < config.dec_layers; ++index) {
    auto self_attention = make_attention(config, Role::kDecoder);
    auto cross_attention = make_attention(config, Role::kCross);
    layers_.emplace_back(options, std::move(self_attention), std::move(cross_attention));
    list->push_back(layers_.back());
  }
  register_module("layers", list);
  if (options.norm_first) {
    norm_ = register_module("layer_norm", nn::make_norm(options.norm_options()));
  }
}

torch::Tensor TransformerDecoderImpl::forward(const Sequences& target_in,
                                              const Memory& memory) const {
  const auto& [ids, lengths, noise, trace, again, caches] = target_in;
  const auto& source = memory.lengths;
  const bool hides =
      source.defined() && !(source.is_cpu() && all_full(source, memory.features.size(1)));

  const auto allowed = kept_by(*layers_.front(), caches, ids);
  auto x = input_->forward(ids, 0, noise);  // [B, Tt, D]
  for (std::size_t index = 0; index < layers_.size(); ++index) {
    nn::AttentionParts self_parts;
    nn::AttentionParts cross_parts;
    nn::DecoderLayerInput input{
        .x = x,
        .allowed = allowed,
        .memory = memory.features,
        .memory_lengths = hides ? source : torch::Tensor(),
        .self_parts = trace ? &self_parts : nullptr,
        .cross_parts = trace ? &cross_parts : nullptr,
        .noise = noise,
    };
    x = again ? forward_again(layers_[index], std::move(input)) : layers_[index]->forward(input);
    if (!trace) continue;
    *trace->add("decoder", static_cast<int64_t>(index)) = std::move(self_parts);
    *trace->add("cross", static_cast<int64_t>(index)) = std::move(cross_parts);
  }
  return finish(x);
}

std::unique_ptr<TransformerState> TransformerDecoderImpl::start(
    const Memory& memory, int64_t max_len, const nn::CacheOptions& options) const {
  const auto& features = memory.features;
  std::vector<TransformerState::Layer> caches;
  for (const auto& layer : layers_) {
    caches.push_back({.own = layer->start(max_len, options),
                      .memory = layer->remember(features, memory.lengths, options)});
  }
  return std::make_unique<TransformerState>(std::move(caches), features.size(0), features.device());
}

torch::Tensor TransformerDecoderImpl::step(const torch::Tensor& ids,
                                           TransformerState& state) const {
  TORCH_CHECK(ids.dim() == 1 && ids.size(0) == state.rows(), "ids ", ids.sizes(), " for ",
              state.rows(), " hypotheses");
  auto x = input_->forward(ids.unsqueeze(1), state.position(), nullptr);  // [rows, 1, D]
  for (std::size_t index = 0; index < layers_.size(); ++index) {
    const auto& caches = state.layer(index);
    x = layers_[index]->forward(
        {.x = x, .cache = caches.own.get(), .memory_cache = caches.memory.get()});
  }
  return finish(x).squeeze(1);  // [rows, D]
}

torch::Tensor TransformerDecoderImpl::finish(const torch::Tensor& x) const {
  return norm_ ? norm_->forward(x) : x;
}

}  // namespace heed::model
