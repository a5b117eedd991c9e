#include "nn/attention/linear_attention.h"

#include <limits>
#include <utility>

#include <c10/core/impl/LocalDispatchKeySet.h>

#include "nn/attention/explicit_attention.h"
#include "nn/attention/running_sums.h"
#include "nn/mask.h"
#include "nn/precision.h"

namespace heed::nn {
namespace {

constexpr int64_t kChunk = 128;  // queries that meet each other's keys by the quadratic form

torch::Tensor phi(const torch::Tensor& x) { return torch::elu(widen(x)) + 1.0; }

/// phi(k), 0 where a key is padding.
torch::Tensor phi_of_keys(const torch::Tensor& key, const torch::Tensor& lengths) {
  const auto features = phi(key);  // [B, H, Tk, Dk]
  if (!lengths.defined()) return features;
  const auto real = key_padding_mask(lengths, key.size(2)).transpose(2, 3);  // [B, 1, Tk, 1]
  return features.masked_fill(~real, 0.0);
}

Sums sum_up(const torch::Tensor& key, const torch::Tensor& value) {
  return {key.sum(2, /*keepdim=*/true), torch::matmul(key.transpose(-2, -1), value)};
}

/// total / norm, 0 for a query that sees nothing.
torch::Tensor ratio(const torch::Tensor& total, const torch::Tensor& norm) {
  return total / norm.masked_fill(norm == 0.0, 1.0);
}

/// Every query sees what was summed up: [B, H, Tq, Dv]
torch::Tensor read_sums(const torch::Tensor& query, const Sums& sums) {
  return ratio(torch::matmul(query, sums.value), torch::matmul(query, sums.key.transpose(-2, -1)));
}

/// [B, H, T, D] -> [B, H, chunks, kChunk, D], zeros at the end
torch::Tensor chunked(const torch::Tensor& x) {
  const int64_t rest = (kChunk - x.size(2) % kChunk) % kChunk;
  const auto whole = rest == 0 ? x : torch::constant_pad_nd(x, {0, 0, 0, rest});
  return whole.unflatten(2, {-1, kChunk});
}

/// Sums of all chunks before each one, and `past` before the first: x [B, H, chunks, ...]
torch::Tensor sums_before(const torch::Tensor& x, const torch::Tensor& past) {
  const auto earlier = x.cumsum(2) - x;
  return past.defined() ? earlier + past.unsqueeze(2) : earlier;
}

/// Causally: what came before a chunk by its sums, the chunk itself by the quadratic form.
torch::Tensor attend_causally(const torch::Tensor& query, const torch::Tensor& key,
                              const torch::Tensor& value, const Sums& past) {
  const int64_t len = query.size(2);
  const auto q = chunked(query);  // [B, H, C, chunk, Dk]
  const auto k = chunked(key);
  const auto v = chunked(value);
  const auto earlier_key = sums_before(k.sum(3, /*keepdim=*/true), past.key);  // [B, H, C, 1, Dk]
  const auto earlier_value = sums_before(torch::matmul(k.transpose(-2, -1), v), past.value);

  const auto inside = torch::matmul(q, k.transpose(-2, -1)).tril();  // [B, H, C, chunk, chunk]
  const auto total = torch::matmul(inside, v) + torch::matmul(q, earlier_value);
  const auto norm = inside.sum(-1, /*keepdim=*/true) +
                    torch::matmul(q, earlier_key.transpose(-2, -1));  // [B, H, C, chunk, 1]
  return ratio(total, norm).flatten(2, 3).narrow(2, 0, len);
}

Sums sum_of(const Sums& a, const Sums& b) {
  if (!a.key.defined()) return b;
  return {a.key + b.key, a.value + b.value};
}

/// All pairs: for parts and for masks of single pairs.
torch::Tensor quadratic(const CoreInput& input) {
  constexpr double kHidden = -std::numeric_limits<double>::infinity();
  const auto allowed = visible_mask(input.visible, input.past, input.query, input.key);
  auto similar = torch::matmul(phi(input.query), phi(input.key).transpose(-2, -1));
  if (allowed.defined()) similar = similar.masked_fill(~allowed, 0.0);
  const auto weights = ratio(similar, similar.sum(-1, /*keepdim=*/true));  // [B, H, Tq, Tk]
  if (input.parts) {
    auto scores = similar.log();
    if (allowed.defined()) scores = scores.masked_fill(~allowed, kHidden);
    *input.parts = {.query = input.query,
                    .key = input.key,
                    .value = input.value,
                    .scores = scores,
                    .weights = weights};
  }
  return torch::matmul(weights, widen(input.value));
}

/// phi of the new keys, 0 for those that lengths or `allowed` hide, which speak of all keys so far.
torch::Tensor phi_of_new_keys(const CoreInput& input, int64_t past) {
  const int64_t step = input.key.size(2);
  auto features = phi(input.key);                     // [B, H, n, Dk]
  const auto hide = [&](const torch::Tensor& real) {  // [..., 1, past + n]
    features = features.masked_fill(~real.narrow(-1, past, step).transpose(-2, -1), 0.0);
  };
  const auto& lengths = input.visible.lengths;
  const auto& allowed = input.visible.allowed;
  if (lengths.defined()) hide(key_padding_mask(lengths, past + step));
  if (!allowed.defined()) return features;
  const auto mask = allowed.dim() == 1 ? allowed.unsqueeze(0) : allowed;
  TORCH_CHECK(mask.size(-2) == 1 && mask.size(-1) == past + step, "allowed ", allowed.sizes(),
              " is no mask of ", past + step, " keys alike for all queries; sums keep no keys");
  hide(mask);
  return features;
}

/// What the new tokens see, their cache included, which they extend. What is hidden of it was
/// hidden when it came.
torch::Tensor carry_on(const CoreInput& input, RunningSums& cache) {
  TORCH_CHECK(!input.parts, "running sums have no keys to show");
  const auto query = phi(input.query);
  const auto key = phi_of_new_keys(input, cache.past());
  const auto value = widen(input.value);
  const auto sums = sum_of(cache.sums(), sum_up(key, value));
  const auto context = query.size(2) == 1 ? read_sums(query, sums)
                                          : attend_causally(query, key, value, cache.sums());
  cache.advance(sums, query.size(2));
  return context;
}

torch::Tensor attend_linearly(const CoreInput& input) {
  if (auto* sums = dynamic_cast<RunningSums*>(input.cache)) return carry_on(input, *sums);
  if (input.parts || input.visible.allowed.defined()) return quadratic(input);
  const auto query = phi(input.query);
  if (const auto* memory = dynamic_cast<const SummedMemory*>(input.cache)) {
    return read_sums(query, memory->sums());
  }
  const auto key = phi_of_keys(input.key, input.visible.lengths);
  const auto value = widen(input.value);
  if (!input.visible.causal) return read_sums(query, sum_up(key, value));
  if (input.past == 0) return attend_causally(query, key, value, {});
  const auto past = sum_up(key.narrow(2, 0, input.past), value.narrow(2, 0, input.past));
  const int64_t step = query.size(2);
  return attend_causally(query, key.narrow(2, input.past, step), value.narrow(2, input.past, step),
                         past);
}

}  // namespace

torch::Tensor LinearAttentionImpl::forward(const CoreInput& input) {
  check_depths(input);
  TORCH_CHECK(!input.bias, "there are no scores for a bias in linear attention");
  const c10::impl::ExcludeDispatchKeyGuard no_autocast(c10::autocast_dispatch_keyset);
  return attend_linearly(input).to(input.value.scalar_type());
}

std::unique_ptr<AttentionCache> LinearAttentionImpl::start(int64_t max_len,
                                                           const CacheOptions&) const {
  return std::make_unique<RunningSums>(max_len);
}

std::unique_ptr<AttentionCache> LinearAttentionImpl::remember(const torch::Tensor& key,
                                                              const torch::Tensor& value,
                                                              const torch::Tensor& lengths,
                                                              const CacheOptions& options) const {
  const c10::impl::ExcludeDispatchKeyGuard no_autocast(c10::autocast_dispatch_keyset);
  return std::make_unique<SummedMemory>(key, value, lengths, options,
                                        sum_up(phi_of_keys(key, lengths), widen(value)));
}

bool LinearAttentionImpl::owns(const AttentionCache& cache) const {
  return dynamic_cast<const RunningSums*>(&cache) != nullptr;
}

}  // namespace heed::nn
