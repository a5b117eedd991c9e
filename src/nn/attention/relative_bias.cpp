#include "nn/attention/relative_bias.h"

#include <cmath>

namespace heed::nn {

torch::Tensor relative_buckets(const torch::Tensor& distance, const RelativeBiasOptions& options) {
  const int64_t side = options.two_sided ? options.buckets / 2 : options.buckets;
  const int64_t near = side / 2;  // distances with a bucket each
  const auto away = options.two_sided ? distance.abs() : (-distance).clamp_min(0);

  const double growth =
      std::log(static_cast<double>(options.max_distance) / static_cast<double>(near));
  const auto ratio = away.clamp_min(near).to(torch::kFloat) / static_cast<double>(near);
  const auto steps = ratio.log() / growth;
  const auto far = near + (steps * static_cast<double>(side - near)).to(torch::kLong);
  const auto bucket = torch::where(away < near, away, far.clamp_max(side - 1));
  return options.two_sided ? bucket + (distance > 0) * side : bucket;
}

RelativeBiasImpl::RelativeBiasImpl(const RelativeBiasOptions& options) : options_(options) {
  const int64_t side = options.two_sided ? options.buckets / 2 : options.buckets;
  TORCH_CHECK(side >= 2, options.buckets, " buckets are too few");
  TORCH_CHECK(options.max_distance > side / 2, "max_distance ", options.max_distance,
              " is within the ", side / 2, " distances that have a bucket each");
  weight_ = register_parameter("weight", torch::empty({options.buckets, options.heads}));
  torch::nn::init::normal_(weight_, 0.0, options.std);
}

torch::Tensor RelativeBiasImpl::block(int64_t query_first, int64_t query_len, int64_t key_first,
                                      int64_t key_len) const {
  const int64_t least = key_first - (query_first + query_len - 1);
  const auto index = torch::TensorOptions().dtype(torch::kLong).device(weight_.device());
  const auto distance = torch::arange(least, least + query_len + key_len - 1, index);
  const auto values = torch::embedding(weight_, relative_buckets(distance, options_));
  return by_distance(values.t(), query_len);  // [H, Tq, Tk]
}

}  // namespace heed::nn
