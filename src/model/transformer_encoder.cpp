#include "model/transformer_encoder.h"

#include <algorithm>
#include <utility>

#include "model/attention_registry.h"
#include "model/choices.h"
#include "nn/recompute.h"

namespace heed::model {

bool all_full(const torch::Tensor& lengths, int64_t len) {
  const auto each = lengths.contiguous();
  const auto* first = each.const_data_ptr<int64_t>();
  return std::all_of(first, first + each.numel(), [len](int64_t length) { return length >= len; });
}

TransformerEncoderImpl::TransformerEncoderImpl(const config::Model& config, nn::Embedding embedding,
                                               int64_t max_len,
                                               const std::vector<int64_t>& global_ids) {
  if (!global_ids.empty()) global_ids_ = torch::tensor(global_ids);
  const auto options = layer_options(config);
  input_ = register_module("input", TokenInput(std::move(embedding),
                                               positions_options(config, max_len), config.dropout));
  torch::nn::ModuleList list;
  for (int64_t index = 0; index < config.enc_layers; ++index) {
    layers_.emplace_back(options, make_attention(config, Role::kEncoder));
    list->push_back(layers_.back());
  }
  register_module("layers", list);
  if (options.norm_first) {
    norm_ = register_module("layer_norm", nn::make_norm(options.norm_options()));
  }
}

torch::Tensor TransformerEncoderImpl::forward(const Sequences& source) const {
  const auto& [ids, lengths, noise, trace, again, caches] = source;
  nn::Visible visible;
  if (!all_full(lengths, ids.size(1))) visible.lengths = lengths.to(ids.device());
  if (global_ids_.defined()) visible.global = torch::isin(ids, global_ids_.to(ids.device()));

  auto x = input_->forward(ids, 0, noise);  // [B, T, D]
  int64_t index = 0;
  for (const auto& layer : layers_) {
    auto* parts = trace ? trace->add("encoder", index++) : nullptr;
    const auto run = [layer, visible, parts, noise](const std::vector<torch::Tensor>& inputs) {
      return layer->forward({.x = inputs[0], .visible = visible, .parts = parts, .noise = noise});
    };
    x = again ? nn::recompute(run, {x}) : run({x});
  }
  return norm_ ? norm_->forward(x) : x;
}

}  // namespace heed::model
