#include "model/encoder_classifier.h"

#include <limits>

#include "model/sizes.h"

namespace heed::model {
namespace {

/// features [B, T, D], lengths [B] on their device -> [B, D]
torch::Tensor pool_features(Pooling pooling, const torch::Tensor& features,
                            const torch::Tensor& lengths) {
  if (pooling == Pooling::kCls) {
    const auto last = (lengths - 1).clamp_min(0).view({-1, 1, 1});                 // [B, 1, 1]
    return features.gather(1, last.expand({-1, 1, features.size(2)})).squeeze(1);  // [B, D]
  }
  const auto position = torch::arange(features.size(1), lengths.options());  // [T]
  const auto padding = (position >= lengths.unsqueeze(1)).unsqueeze(-1);     // [B, T, 1]
  if (pooling == Pooling::kMax) {
    return features.masked_fill(padding, -std::numeric_limits<double>::infinity()).amax(1);
  }
  return features.masked_fill(padding, 0.0).sum(1) / lengths.clamp_min(1).unsqueeze(1);
}

}  // namespace

EncoderClassifierImpl::EncoderClassifierImpl(const config::Model& config, const Sizes& sizes)
    : pooling_(pooling(config)) {
  check_sizes(config, sizes);
  const nn::Embedding embedding(nn::EmbeddingOptions{
      .rows = embedding_rows(config, sizes.source_pieces), .d_model = config.d_model});
  encoder_ = register_module(
      "encoder", TransformerEncoder(config, embedding, sizes.max_len + kSpecial, sizes.global_ids));
  encoder_->register_module("embed_tokens", embedding);
  classifier_ = register_module(
      "classifier", nn::Linear(nn::LinearOptions{
                        .in = config.d_model, .out = sizes.classes, .init = init(config)}));
}

torch::Tensor EncoderClassifierImpl::pool(const Sequences& source) {
  const auto features = encoder_->forward(source);  // [B, T, D]
  return pool_features(pooling_, features, source.lengths.to(features.device()));
}

}  // namespace heed::model
