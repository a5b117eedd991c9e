#pragma once

#include "nn/attention/key_value_cache.h"

namespace heed::nn {

/// What linear attention needs to know of the past, whatever its length, in fp32 or wider.
struct Sums {
  torch::Tensor key;    // [B, H, 1, Dk], of phi(k)
  torch::Tensor value;  // [B, H, Dk, Dv], of phi(k)^T v

  void select(const torch::Tensor& rows);
};

/// The sums of the tokens so far (self-attention).
class RunningSums final : public AttentionCache {
 public:
  explicit RunningSums(int64_t max_len) : max_len_(max_len) {}

  int64_t past() const override { return past_; }
  void select(const torch::Tensor& rows) override { sums_.select(rows); }

  const Sums& sums() const { return sums_; }  // undefined tensors at the start

  /// The sums after `step` more tokens. Throws c10::Error past the end of the room.
  void advance(Sums sums, int64_t step);

 private:
  int64_t max_len_;
  int64_t past_ = 0;
  Sums sums_;
};

/// The sums of a memory, beside its keys and values, which only parts need (cross attention).
class SummedMemory final : public MemoryCache {
 public:
  SummedMemory(const torch::Tensor& key, const torch::Tensor& value, const torch::Tensor& lengths,
               const CacheOptions& options, Sums sums)
      : MemoryCache(key, value, lengths, options), sums_(std::move(sums)) {}

  void select(const torch::Tensor& rows) override;
  const Sums& sums() const { return sums_; }

 private:
  Sums sums_;
};

}  // namespace heed::nn
