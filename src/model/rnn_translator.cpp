#include "model/rnn_translator.h"

#include "base/error.h"
#include "model/cache_options.h"
#include "model/choices.h"
#include "model/sizes.h"

namespace heed::model {

RnnTranslatorImpl::RnnTranslatorImpl(const config::Model& config, const Sizes& sizes)
    : pieces_(sizes.target_pieces) {
  check_sizes(config, sizes);
  const auto tied = tie(config);
  const auto make_embedding = [&](int64_t pieces) {
    return nn::Embedding(
        nn::EmbeddingOptions{.rows = embedding_rows(config, pieces), .d_model = config.d_model});
  };
  const auto source_embedding = make_embedding(sizes.source_pieces);
  target_embedding_ = tied == Tie::kAll ? source_embedding : make_embedding(sizes.target_pieces);
  encoder_ = register_module("encoder", RnnEncoder(config, source_embedding));
  decoder_ = register_module("decoder", RnnDecoder(config, target_embedding_));
  if (tied == Tie::kAll) {
    register_module("embed_tokens", source_embedding);
  } else {
    encoder_->register_module("embed_tokens", source_embedding);
    decoder_->register_module("embed_tokens", target_embedding_);
  }
  if (tied == Tie::kNone) {
    output_projection_ = register_module(
        "output_projection",
        nn::Linear(nn::LinearOptions{
            .in = config.d_model, .out = pieces_, .bias = false, .init = init(config)}));
  }
}

Memory RnnTranslatorImpl::encode(const Sequences& source) {
  const auto features = encoder_->forward(source);
  return {.features = features, .lengths = source.lengths.to(features.device())};
}

torch::Tensor RnnTranslatorImpl::decode(const Sequences& target_in, const Memory& memory) {
  return decoder_->forward(target_in, memory);
}

std::unique_ptr<DecoderState> RnnTranslatorImpl::start(const Memory& memory, int64_t /*max_len*/,
                                                       const nn::CacheOptions& options) {
  if (lossy(options)) {
    throw ConfigError(
        "decode.cache_max, decode.cache_precision: a recurrent model keeps one state, and no keys "
        "of its own tokens; leave them out");
  }
  return decoder_->start(memory);
}

torch::Tensor RnnTranslatorImpl::step(const torch::Tensor& ids, DecoderState& state) {
  auto* own = dynamic_cast<RnnState*>(&state);
  TORCH_CHECK(own, "the state was made by another kind of model");
  return decoder_->step(ids, *own);
}

torch::Tensor RnnTranslatorImpl::output_weight() const {
  if (output_projection_) return output_projection_->weight();
  const auto& rows = target_embedding_->weight();
  return rows.size(0) == pieces_ ? rows : rows.narrow(0, 0, pieces_);
}

torch::Tensor RnnTranslatorImpl::logits(const torch::Tensor& features) const {
  if (output_projection_) return output_projection_->forward(features);
  return torch::linear(features, output_weight());
}

}  // namespace heed::model
