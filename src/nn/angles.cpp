#include "nn/angles.h"

#include <cmath>

namespace heed::nn {

torch::Tensor angles(int64_t first, int64_t len, const AngleOptions& options) {
  const auto width = static_cast<double>(options.width);
  const auto position = torch::arange(first, first + len, torch::kDouble).unsqueeze(1);  // [T, 1]
  const auto even = torch::arange(0, options.width, 2, torch::kDouble);  // [width / 2]
  const auto speed = torch::exp(even * (-std::log(options.base) / width));
  return position / options.stretch * speed;  // [T, width / 2]
}

double ntk_base(double base, double factor, int64_t width) {
  TORCH_CHECK(width > 2, "one pair of features has no slowest and fastest");
  const auto features = static_cast<double>(width);
  return base * std::pow(factor, features / (features - 2.0));
}

}  // namespace heed::nn
