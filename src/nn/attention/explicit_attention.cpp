#include "nn/attention/explicit_attention.h"

#include <limits>
#include <tuple>
#include <utility>

#include <c10/core/impl/LocalDispatchKeySet.h>

#include "nn/mask.h"
#include "nn/precision.h"

namespace heed::nn {

torch::Tensor dot_scores(const torch::Tensor& query, const torch::Tensor& key, double scale) {
  const c10::impl::ExcludeDispatchKeyGuard no_autocast(c10::autocast_dispatch_keyset);
  const auto wide = widen(query);
  return torch::matmul(scale == 1.0 ? wide : wide * scale, widen(key).transpose(-2, -1));
}

torch::Tensor attend_explicitly(const CoreInput& input, torch::Tensor scores,
                                const torch::Tensor& allowed, const Dropout& dropout,
                                const DropoutPlaces& places) {
  constexpr double kHidden = -std::numeric_limits<double>::infinity();
  const auto& [query, key, value] = std::tie(input.query, input.key, input.value);
  if (input.bias) {
    const auto bias = input.bias->block(input.past, query.size(2), 0, key.size(2));  // [H, Tq, Tk]
    scores = scores + bias.to(scores.scalar_type());
  }
  if (allowed.defined()) scores = scores.masked_fill(~allowed, kHidden);

  // A row without a visible key is NaN here. Filling it repairs the result, and the backward of the
  // first fill zeroes the row's gradient.
  auto weights = torch::softmax(scores, -1);  // [B, H, Tq, Tk]
  if (allowed.defined()) weights = weights.masked_fill(~allowed, 0.0);
  if (input.parts) *input.parts = {query, key, value, scores, weights};

  const auto kept = dropout->on_weights(weights, input.noise, places);
  return torch::matmul(kept.to(value.scalar_type()), value);  // [B, H, Tq, Dv]
}

torch::Tensor attend_explicitly(const CoreInput& input, torch::Tensor scores,
                                const Dropout& dropout) {
  const auto allowed = visible_mask(input.visible, input.past, input.query, input.key);
  return attend_explicitly(input, std::move(scores), allowed, dropout);
}

void check_depths(const CoreInput& input) {
  TORCH_CHECK(input.query.size(-1) == input.key.size(-1), "query depth ", input.query.size(-1),
              " != key depth ", input.key.size(-1));
}

}  // namespace heed::nn
