#include "nn/positions.h"

#include <cmath>

namespace heed::nn {
namespace {

AngleOptions angle_options(const PositionsOptions& options) {
  return {.width = options.d_model, .base = options.base, .stretch = options.stretch};
}

}  // namespace

torch::Tensor sinusoids(int64_t first, int64_t len, const AngleOptions& options) {
  const auto angle = angles(first, len, options);                             // [T, D / 2]
  const auto both = torch::stack({angle.sin(), angle.cos()}, -1).flatten(1);  // [T, D]
  return both.narrow(1, 0, options.width).to(torch::kFloat);
}

PositionsImpl::PositionsImpl(const PositionsOptions& options) : options_(options) {
  TORCH_CHECK(options.max_len > 0, "positions need a max_len above 0, got ", options.max_len);
  if (options.type == PositionsOptions::Type::kSinusoidal) {
    weight_ = register_buffer("table", sinusoids(0, options.max_len, angle_options(options)));
  } else if (options.type == PositionsOptions::Type::kLearned) {
    weight_ = register_parameter("weight", torch::empty({options.max_len, options.d_model}));
    torch::nn::init::normal_(weight_, 0.0, 1.0 / std::sqrt(static_cast<double>(options.d_model)));
  }
}

torch::Tensor PositionsImpl::forward(const torch::Tensor& x, int64_t first) const {
  if (options_.type == PositionsOptions::Type::kNone) return x;
  return x + rows(first, x.size(1));  // [B, T, D]
}

/// -> [len, D]
torch::Tensor PositionsImpl::rows(int64_t first, int64_t len) const {
  const bool kept = first + len <= weight_.size(0);
  if (options_.type == PositionsOptions::Type::kLearned) {
    const bool whole = kept && options_.stretch == 1.0;
    return whole ? weight_.narrow(0, first, len) : learned_rows(first, len);
  }
  if (kept) return weight_.narrow(0, first, len);
  return sinusoids(first, len, angle_options(options_)).to(weight_.options());
}

/// Past the last one learned, or between two.
torch::Tensor PositionsImpl::learned_rows(int64_t first, int64_t len) const {
  const auto options = torch::TensorOptions().dtype(torch::kDouble).device(weight_.device());
  const auto place = (torch::arange(first, first + len, options) / options_.stretch)
                         .clamp_max(static_cast<double>(weight_.size(0) - 1));  // [T]
  const auto below = place.floor();
  const auto share = (place - below).to(weight_.scalar_type()).unsqueeze(1);  // [T, 1]
  const auto lower = weight_.index_select(0, below.to(torch::kLong));         // [T, D]
  if (options_.stretch == 1.0) return lower;
  const auto upper = weight_.index_select(0, place.ceil().to(torch::kLong));  // [T, D]
  return torch::lerp(lower, upper, share.expand_as(lower));
}

}  // namespace heed::nn
