#pragma once

#include "nn/attention/score_bias.h"

namespace heed::nn {

struct RelativeBiasOptions {
  int64_t heads = 0;
  int64_t buckets = 32;        // even where distances have two sides
  int64_t max_distance = 128;  // all further ones share the last bucket of their side
  double std = 0.1;            // of the initial biases; T5 takes 1 / sqrt(d_model)
  bool two_sided = true;       // keys after the query count apart; false: decoders never see them
};

/// A learned bias for each head and bucket of distances (Raffel et al., 2020, section 2.1),
/// https://arxiv.org/abs/1910.10683: near distances have a bucket each, further ones share buckets
/// that grow logarithmically. Each layer has a table of its own.
class RelativeBiasImpl final : public ScoreBias {
 public:
  /// Throws c10::Error for fewer buckets than a side needs, or a max_distance within the near ones.
  explicit RelativeBiasImpl(const RelativeBiasOptions& options);

  torch::Tensor block(int64_t query_first, int64_t query_len, int64_t key_first,
                      int64_t key_len) const override;

 private:
  RelativeBiasOptions options_;
  torch::Tensor weight_;  // [buckets, H]
};
TORCH_MODULE(RelativeBias);

/// distance: int64, key - query -> its bucket, same shape. T5's rule.
torch::Tensor relative_buckets(const torch::Tensor& distance, const RelativeBiasOptions& options);

}  // namespace heed::nn
