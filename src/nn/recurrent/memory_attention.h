#pragma once

#include "nn/attention/attention.h"
#include "nn/dropout.h"
#include "nn/linear.h"

namespace heed::nn {

/// How a state is scored against what it reads.
enum class Score {
  kAdditive,  // v . tanh(W q + U k + b) (Bahdanau et al., 2015), https://arxiv.org/abs/1409.0473
  kDot,       // q . k (Luong et al., 2015, section 3.1), https://arxiv.org/abs/1508.04025
  kGeneral,   // q . W k (likewise)
};

struct MemoryAttentionOptions {
  Score score = Score::kAdditive;
  int64_t d_model = 0;
  double dropout = 0.0;  // probability, on the weights
  Init init = Init::kXavierUniform;
};

/// A memory whose keys were projected once. Hypotheses that share a row are neighbors.
struct ProjectedMemory {
  torch::Tensor keys;       // [Bm, Ts, D], fp32 or wider
  torch::Tensor values;     // [Bm, Ts, D]
  torch::Tensor lengths{};  // int64 [Bm], on the device of `values`; undefined = all are real

  ProjectedMemory narrow(int64_t rows) const;               // the first rows
  ProjectedMemory select(const torch::Tensor& rows) const;  // int64 [any]
};

/// The attention of a recurrent decoder: one head, whose values are the memory itself, and no
/// projection of the result. A row without a real key gets zero context and zero weights.
class MemoryAttentionImpl final : public torch::nn::Module {
 public:
  explicit MemoryAttentionImpl(const MemoryAttentionOptions& options);

  /// memory [Bm, Ts, D]   lengths int64 [Bm] on its device, or undefined
  ProjectedMemory project(const torch::Tensor& memory, const torch::Tensor& lengths) const;

  /// query [n Bm, Tq, D] -> context [n Bm, Tq, D], fp32 or wider; one head in `parts`, where given.
  /// noise: of the rows of the query
  torch::Tensor forward(const torch::Tensor& query, const ProjectedMemory& memory,
                        AttentionParts* parts, const Noise* noise) const;

 private:
  torch::Tensor scores(const torch::Tensor& query, const ProjectedMemory& memory) const;

  Score score_;
  Linear query_proj_{nullptr};  // additive
  Linear key_proj_{nullptr};    // additive, general
  torch::Tensor score_weight_;  // [D], additive
  Dropout dropout_{nullptr};
};
TORCH_MODULE(MemoryAttention);

}  // namespace heed::nn
