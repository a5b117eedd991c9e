#include "nn/positions.h"

#include <cmath>

namespace heed::nn {

torch::Tensor sinusoids(int64_t first, int64_t len, int64_t d_model) {
  const auto position = torch::arange(first, first + len, torch::kDouble).unsqueeze(1);  // [T, 1]
  const auto even = torch::arange(0, d_model, 2, torch::kDouble);                        // [D / 2]
  const auto angle = position * torch::exp(even * (-std::log(10000.0) / d_model));  // [T, D / 2]
  const auto both = torch::stack({angle.sin(), angle.cos()}, -1).flatten(1);        // [T, D]
  return both.narrow(1, 0, d_model).to(torch::kFloat);
}

PositionsImpl::PositionsImpl(const PositionsOptions& options) : options_(options) {
  TORCH_CHECK(options.max_len > 0, "positions need a max_len above 0, got ", options.max_len);
  if (options.type == PositionsOptions::Type::kSinusoidal) {
    weight_ = register_buffer("table", sinusoids(0, options.max_len, options.d_model));
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
  const int64_t kept = weight_.size(0);
  if (first + len <= kept) return weight_.narrow(0, first, len);
  if (options_.type == PositionsOptions::Type::kSinusoidal) {
    return sinusoids(first, len, options_.d_model).to(weight_.options());
  }
  const auto index = torch::TensorOptions().dtype(torch::kLong).device(weight_.device());
  return weight_.index_select(0, torch::arange(first, first + len, index).clamp_max(kept - 1));
}

}  // namespace heed::nn
