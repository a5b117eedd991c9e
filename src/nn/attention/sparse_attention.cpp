#include "nn/attention/sparse_attention.h"

#include <algorithm>
#include <cmath>

#include "nn/attention/blocks.h"
#include "nn/attention/explicit_attention.h"
#include "nn/attention/key_value_cache.h"

namespace heed::nn {

SparseAttentionImpl::SparseAttentionImpl(const SparseAttentionOptions& options)
    : options_(options) {
  auto& [pattern, dense, at_once] = options_;
  TORCH_CHECK(pattern.window >= 1, "a window of ", pattern.window, " keys");
  TORCH_CHECK(at_once >= 1 && pattern.block >= 1, "blocks of ", at_once, " and ", pattern.block);
  if (pattern.random > 0) at_once = pattern.block;
  dense_ = register_module("dense", ScaledDotProduct(dense));
}

torch::Tensor SparseAttentionImpl::forward(const CoreInput& input) {
  check_depths(input);
  const auto& pattern = options_.pattern;
  if (hides_nothing(pattern, input)) return dense_->forward(input);

  const int64_t query_len = input.query.size(2);
  const bool whole = input.past == 0 && query_len == input.key.size(2) && !input.kept;
  const bool plain = options_.dense.impl == ScaledDotProductOptions::Impl::kExplicit;
  if (whole && !plain && !input.parts && query_len > options_.at_once) {
    return attend_in_blocks(input, pattern, options_.at_once, dense_->dropout());
  }
  TORCH_CHECK(!input.bias || (pattern.global_positions.empty() && pattern.random == 0),
              "a bias by distance goes with a window alone");
  const double scale = 1.0 / std::sqrt(static_cast<double>(input.query.size(-1)));
  return attend_explicitly(input, dot_scores(input.query, input.key, scale),
                           pattern_mask(pattern, input), dense_->dropout());
}

std::unique_ptr<AttentionCache> SparseAttentionImpl::start(int64_t max_len,
                                                           const CacheOptions& options) const {
  const auto& pattern = options_.pattern;
  if (!pattern.global_positions.empty() || pattern.random > 0) {
    return AttentionCore::start(max_len, options);
  }
  const int64_t seen = pattern.window + 1;
  const int64_t recent = options.max == 0 ? seen : std::min(options.max, seen);
  return GrowingCache::ring(max_len, recent, options.precision);
}

}  // namespace heed::nn
