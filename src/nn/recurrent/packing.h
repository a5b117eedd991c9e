#pragma once

#include <optional>
#include <vector>

#include "base/torch.h"
#include "nn/noise.h"

namespace heed::nn {

/// How the texts of a batch lie without their padding: sorted by length, the longest first, and
/// step by step, so step t is the first batch_sizes[t] of them. What is packed has no padding that
/// could be read.
class Packing {
 public:
  /// lengths int64 [B], on the CPU; len: T. Throws c10::Error for a length above it.
  Packing(const torch::Tensor& lengths, int64_t len, torch::Device device);

  /// Texts that still have a token at each step; none is 0.
  const std::vector<int64_t>& batch_sizes() const { return batch_sizes_; }

  torch::Tensor pack(const torch::Tensor& x) const;    // [B, T, ...] -> [N, ...]
  torch::Tensor unpack(const torch::Tensor& x) const;  // [N, ...] -> [B, T, ...], 0 at padding

  torch::Tensor sorted(const torch::Tensor& x) const;    // [B, ...] -> the longest first
  torch::Tensor original(const torch::Tensor& x) const;  // and back

  /// The noise of a batch for its tokens, each an example of its own, and for its sorted texts.
  std::optional<Noise> of_tokens(const Noise* noise) const;
  std::optional<Noise> of_sorted(const Noise* noise) const;

 private:
  int64_t batch_;
  int64_t len_;
  std::vector<int64_t> order_;  // [B], the text in each place
  std::vector<int64_t> batch_sizes_;
  torch::Tensor tokens_;     // int64 [N], places in [B T]
  torch::Tensor places_;     // int64 [B], order_ on the device; undefined where nothing moves
  torch::Tensor originals_;  // int64 [B], its inverse
};

/// The first rows of x, which is undefined or has at least as many; x itself where it has no more.
inline torch::Tensor leading(const torch::Tensor& x, int64_t rows) {
  return !x.defined() || x.size(0) == rows ? x : x.narrow(0, 0, rows);
}

/// Null for none.
inline const Noise* pointer(const std::optional<Noise>& noise) { return noise ? &*noise : nullptr; }

}  // namespace heed::nn
