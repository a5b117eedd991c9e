#pragma once

#include "model/build.h"
#include "support/catch.h"
#include "support/close.h"

/// Small models and batches for the tests of this folder.
namespace heed::test {

inline constexpr int64_t kPieces = 13;

inline model::Sizes translator_sizes() {
  return {.source_pieces = kPieces, .target_pieces = kPieces, .classes = 0, .max_len = 9};
}

inline model::Sizes classifier_sizes() {
  return {.source_pieces = kPieces, .target_pieces = 0, .classes = 4, .max_len = 9};
}

inline config::Model small_config() {
  return {.d_model = 8, .heads = 2, .d_ff = 12, .enc_layers = 2, .dec_layers = 2, .dropout = 0.3};
}

/// Random ids [B, T]; beyond each length there is anything.
inline model::Sequences random_sequences(const std::vector<int64_t>& lengths, int64_t len) {
  const auto rows = static_cast<int64_t>(lengths.size());
  return {.ids = torch::randint(4, kPieces, {rows, len}, torch::kLong),
          .lengths = torch::tensor(lengths)};
}

/// The same with other ids at the padding.
inline model::Sequences other_padding(const model::Sequences& x) {
  const auto padding = torch::arange(x.ids.size(1)) >= x.lengths.unsqueeze(1);
  return {.ids = torch::where(padding, torch::randint_like(x.ids, 0, kPieces), x.ids),
          .lengths = x.lengths};
}

/// One row alone, without its padding.
inline model::Sequences row_of(const model::Sequences& x, int64_t row) {
  const auto length = x.lengths[row].item<int64_t>();
  return {.ids = x.ids.narrow(0, row, 1).narrow(1, 0, length),
          .lengths = x.lengths.narrow(0, row, 1)};
}

inline bool all_finite(const torch::Tensor& x) { return x.isfinite().all().item<bool>(); }

}  // namespace heed::test
