#include "nn/attention/rotary.h"

namespace heed::nn {
namespace {

constexpr int64_t kKept = 512;  // positions; later ones are computed when met

/// Cosines, and sines with the sign that a pair's first feature gets: fp32 [2, len, Dk].
torch::Tensor turns(int64_t first, int64_t len, const AngleOptions& options) {
  const auto angle = angles(first, len, options);                   // [T, Dk / 2]
  const auto cosines = torch::cat({angle.cos(), angle.cos()}, -1);  // [T, Dk]
  const auto sines = torch::cat({-angle.sin(), angle.sin()}, -1);   // [T, Dk]
  return torch::stack({cosines, sines}).to(torch::kFloat);
}

}  // namespace

RotaryImpl::RotaryImpl(const AngleOptions& options) : options_(options) {
  TORCH_CHECK(options.width > 0 && options.width % 2 == 0,
              "rotary positions turn pairs of features, and a head has ", options.width);
  table_ = register_buffer("table", turns(0, kKept, options));
}

torch::Tensor RotaryImpl::forward(const torch::Tensor& x, int64_t first) const {
  TORCH_CHECK(x.size(-1) == options_.width, "depth ", x.size(-1), " != rotary width ",
              options_.width);
  const auto turn = rows(first, x.size(2));             // [2, T, Dk]
  const auto partner = x.roll(options_.width / 2, -1);  // [B, H, T, Dk]
  const auto turned = x * turn[0] + partner * turn[1];  // [B, H, T, Dk]
  return turned.to(x.scalar_type());
}

/// -> [2, len, Dk]
torch::Tensor RotaryImpl::rows(int64_t first, int64_t len) const {
  if (first + len <= kKept) return table_.narrow(1, first, len);
  return turns(first, len, options_).to(table_.options());
}

}  // namespace heed::nn
