#include "model/rnn_encoder.h"

#include <utility>

#include "model/rnn_choices.h"

namespace heed::model {

RnnEncoderImpl::RnnEncoderImpl(const config::Model& config, nn::Embedding embedding)
    : embedding_(std::move(embedding)) {
  embedding_dropout_ = register_module("embedding_dropout", nn::Dropout(config.dropout));
  torch::nn::ModuleList layers;
  torch::nn::ModuleList dropouts;
  for (int64_t index = 0; index < config.enc_layers; ++index) {
    layers_.emplace_back(cell_options(config, config.d_model), config.rnn.bidirectional);
    layers->push_back(layers_.back());
    if (index == 0) continue;
    dropouts_.emplace_back(config.dropout);
    dropouts->push_back(dropouts_.back());
  }
  register_module("layers", layers);
  register_module("dropouts", dropouts);
}

torch::Tensor RnnEncoderImpl::forward(const Sequences& source) const {
  const auto& ids = source.ids;
  const nn::Packing packing(source.lengths, ids.size(1), ids.device());
  const auto of_tokens = packing.of_tokens(source.noise);
  const auto of_texts = packing.of_sorted(source.noise);
  const auto drop = [&](const nn::Dropout& dropout, const torch::Tensor& x) {
    return dropout->forward(x.unsqueeze(1), nn::pointer(of_tokens)).squeeze(1);  // [N, D]
  };

  auto x = drop(embedding_dropout_, embedding_->forward(packing.pack(ids)));  // [N, D]
  for (std::size_t index = 0; index < layers_.size(); ++index) {
    if (index > 0) x = drop(dropouts_[index - 1], x);
    x = layers_[index]->forward(x, packing, ids.size(0), nn::pointer(of_texts));
  }
  return packing.unpack(x);  // [B, T, D]
}

torch::Tensor last_features(const torch::Tensor& features, const torch::Tensor& lengths,
                            bool bidirectional) {
  const auto last = (lengths - 1).clamp_min(0).view({-1, 1, 1});  // [B, 1, 1]
  const auto at_end = features.gather(1, last.expand({-1, 1, features.size(2)})).squeeze(1);
  if (!bidirectional) return at_end;
  const int64_t half = features.size(2) / 2;
  const auto at_begin = features.select(1, 0);  // [B, D]
  return torch::cat({at_end.narrow(1, 0, half), at_begin.narrow(1, half, half)}, 1);
}

}  // namespace heed::model
