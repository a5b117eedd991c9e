#include "model/rnn_classifier.h"

#include "model/choices.h"
#include "model/sizes.h"

namespace heed::model {

RnnClassifierImpl::RnnClassifierImpl(const config::Model& config, const Sizes& sizes) {
  check_sizes(config, sizes);
  const nn::Embedding embedding(nn::EmbeddingOptions{
      .rows = embedding_rows(config, sizes.source_pieces), .d_model = config.d_model});
  encoder_ = register_module("encoder", RnnEncoder(config, embedding));
  encoder_->register_module("embed_tokens", embedding);
  pooling_ = register_module(
      "pooling",
      nn::AttentionPooling(nn::AttentionPoolingOptions{
          .d_model = config.d_model, .dropout = config.attention.dropout, .init = init(config)}));
  dropout_ = register_module("dropout", nn::Dropout(config.dropout));
  classifier_ = register_module(
      "classifier", nn::Linear(nn::LinearOptions{
                        .in = config.d_model, .out = sizes.classes, .init = init(config)}));
}

torch::Tensor RnnClassifierImpl::pool(const Sequences& source) {
  const auto features = encoder_->forward(source);  // [B, T, D]
  auto* parts = source.trace ? source.trace->add("cross", 0) : nullptr;
  const auto pooled = pooling_->forward(features, source.lengths.to(features.device()), parts,
                                        source.noise);  // [B, D]
  return dropout_->forward(pooled.unsqueeze(1), source.noise).squeeze(1);
}

}  // namespace heed::model
