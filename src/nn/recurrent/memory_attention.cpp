#include "nn/recurrent/memory_attention.h"

#include <limits>

#include <c10/core/impl/LocalDispatchKeySet.h>

#include "nn/kernels/additive_scores.h"
#include "nn/precision.h"
#include "nn/recurrent/packing.h"

namespace heed::nn {
namespace {

/// bool [Bm, 1, Ts], true behind the real keys
torch::Tensor behind(const torch::Tensor& lengths, int64_t len) {
  const auto place = torch::arange(len, lengths.options());
  return (place >= lengths.unsqueeze(1)).unsqueeze(1);
}

/// [Bm, any, T] -> [n Bm, 1, any / n, T]: rows of hypotheses, and one head
torch::Tensor apart(const torch::Tensor& x, int64_t n) {
  return x.reshape({x.size(0) * n, 1, x.size(1) / n, x.size(2)});
}

}  // namespace

ProjectedMemory ProjectedMemory::narrow(int64_t rows) const {
  return {.keys = leading(keys, rows),
          .values = leading(values, rows),
          .lengths = leading(lengths, rows)};
}

ProjectedMemory ProjectedMemory::select(const torch::Tensor& rows) const {
  return {.keys = keys.index_select(0, rows),
          .values = values.index_select(0, rows),
          .lengths = lengths.defined() ? lengths.index_select(0, rows) : lengths};
}

MemoryAttentionImpl::MemoryAttentionImpl(const MemoryAttentionOptions& options)
    : score_(options.score) {
  const auto linear = [&](bool bias) {
    return Linear(LinearOptions{
        .in = options.d_model, .out = options.d_model, .bias = bias, .init = options.init});
  };
  const bool additive = score_ == Score::kAdditive;
  if (additive) query_proj_ = register_module("query_proj", linear(false));
  if (score_ != Score::kDot) key_proj_ = register_module("key_proj", linear(additive));
  if (additive) {
    auto row = torch::empty({1, options.d_model});
    initialize(row, options.init);
    score_weight_ = register_parameter("score_weight", row.squeeze(0));
  }
  dropout_ = register_module("dropout", Dropout(options.dropout));
}

ProjectedMemory MemoryAttentionImpl::project(const torch::Tensor& memory,
                                             const torch::Tensor& lengths) const {
  const auto keys = key_proj_ ? key_proj_->forward(memory) : memory;
  return {.keys = widen(keys), .values = memory, .lengths = lengths};
}

torch::Tensor MemoryAttentionImpl::forward(const torch::Tensor& query,
                                           const ProjectedMemory& memory, AttentionParts* parts,
                                           const Noise* noise) const {
  const int64_t rows = query.size(0);
  const int64_t memory_rows = memory.keys.size(0);
  TORCH_CHECK(memory_rows > 0 ? rows % memory_rows == 0 : rows == 0, rows,
              " query rows do not share ", memory_rows, " memory rows evenly");
  const int64_t n = memory_rows > 0 ? rows / memory_rows : 1;
  const auto projected = widen(query_proj_ ? query_proj_->forward(query) : query);
  const auto folded = projected.reshape({memory_rows, n * query.size(1), query.size(2)});

  const c10::impl::ExcludeDispatchKeyGuard no_autocast(c10::autocast_dispatch_keyset);
  const auto score = scores(folded, memory);  // [Bm, n Tq, Ts]
  auto weights = torch::softmax(score, -1);   // [Bm, n Tq, Ts]
  if (memory.lengths.defined()) {
    weights = weights.masked_fill(behind(memory.lengths, score.size(2)), 0.0);
  }
  if (parts) {
    const auto each = [n](const torch::Tensor& x) {
      return x.repeat_interleave(n, 0).unsqueeze(1);
    };
    *parts = {projected.unsqueeze(1), each(memory.keys), each(memory.values), apart(score, n),
              apart(weights, n)};
  }
  // hypotheses of a row lie one behind the other, so their weights may be dropped as its queries
  const auto kept = dropout_->on_weights(apart(weights, n), noise).reshape_as(weights);
  const auto context = torch::matmul(kept, widen(memory.values));  // [Bm, n Tq, D]
  return context.reshape({rows, query.size(1), context.size(2)});
}

torch::Tensor MemoryAttentionImpl::scores(const torch::Tensor& query,
                                          const ProjectedMemory& memory) const {
  if (score_ == Score::kAdditive) {
    return additive_scores(query, memory.keys, score_weight_, memory.lengths);
  }
  const auto products = torch::matmul(query, memory.keys.transpose(1, 2));
  if (!memory.lengths.defined()) return products;
  return products.masked_fill(behind(memory.lengths, memory.keys.size(1)),
                              -std::numeric_limits<double>::infinity());
}

}  // namespace heed::nn
