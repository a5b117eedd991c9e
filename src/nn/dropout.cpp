#include "nn/dropout.h"

#include "base/random.h"

namespace heed::nn {
namespace {

/// What names the random numbers of each example at one site: int64 [B], on the CPU.
torch::Tensor example_keys(const Noise& noise, int64_t site) {
  const auto examples = noise.examples.contiguous();
  auto keys = torch::empty_like(examples);
  const auto* example = examples.const_data_ptr<int64_t>();
  auto* key = keys.mutable_data_ptr<int64_t>();
  const auto step = static_cast<uint64_t>(noise.step);
  for (int64_t b = 0; b < examples.numel(); ++b) {
    key[b] = static_cast<int64_t>(
        mix({noise.seed, step, static_cast<uint64_t>(example[b]), static_cast<uint64_t>(site)}));
  }
  return keys;
}

}  // namespace

DropoutImpl::DropoutImpl(double p) : p_(p) {
  TORCH_CHECK(p >= 0.0 && p < 1.0, "dropout must be in [0, 1), got ", p);
}

torch::Tensor DropoutImpl::forward(const torch::Tensor& x, const Noise* noise) const {
  if (p_ == 0.0 || !noise || !is_training()) return x;
  return keyed_dropout(x.unsqueeze(1), {}, example_keys(*noise, site_), p_).squeeze(1);
}

torch::Tensor DropoutImpl::add(const torch::Tensor& residual, const torch::Tensor& x,
                               const Noise* noise) const {
  if (p_ == 0.0 || !noise || !is_training()) return residual + x;
  const auto same = x.to(residual.scalar_type());
  return keyed_dropout(same.unsqueeze(1), residual.unsqueeze(1), example_keys(*noise, site_), p_)
      .squeeze(1);
}

torch::Tensor DropoutImpl::on_weights(const torch::Tensor& weights, const Noise* noise,
                                      const DropoutPlaces& places) const {
  if (p_ == 0.0 || !noise || !is_training()) return weights;
  return keyed_dropout(weights, {}, example_keys(*noise, site_), p_, places);
}

void number_dropout_sites(torch::nn::Module& model) {
  int64_t site = 0;
  for (const auto& module : model.modules(/*include_self=*/false)) {
    if (auto* dropout = dynamic_cast<DropoutImpl*>(module.get())) dropout->set_site(site++);
  }
}

}  // namespace heed::nn
