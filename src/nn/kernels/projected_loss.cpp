#include "nn/kernels/projected_loss.h"

#include <algorithm>
#include <optional>

#include "nn/kernels/loss_rows.h"
#include "nn/precision.h"

namespace heed::nn {
namespace {

constexpr int64_t kChunk = 256;  // rows whose logits exist at once

struct Wanted {
  bool features, weight, bias;
  bool any() const { return features || weight || bias; }
};

/// Sums and gradients of all rows.
struct Result {
  torch::Tensor sums;      // fp64 [3]: loss, nll, correct
  torch::Tensor features;  // [N, D]
  torch::Tensor weight;    // [V, D]
  torch::Tensor bias;      // [V]
};

torch::Tensor zeros_if(bool wanted, const torch::Tensor& like) {
  return wanted ? torch::zeros_like(like) : torch::Tensor();
}

/// Adds a^T b in the type of `sum`: narrow products must not be summed narrow.
void add_product(torch::Tensor& sum, const torch::Tensor& a, const torch::Tensor& b) {
  if (a.scalar_type() == sum.scalar_type()) {
    sum.addmm_(a.t(), b);
  } else {
    sum.add_(torch::mm(a.t(), b));
  }
}

Result in_chunks(const torch::Tensor& features, const torch::Tensor& weight,
                 const torch::Tensor& bias, const torch::Tensor& targets, double smoothing,
                 const Wanted& wanted) {
  const auto factor = for_product(weight);  // [V, D]
  const auto inputs = for_product(features);
  Result result{
      .sums = torch::zeros({3}, features.options().dtype(torch::kDouble)),
      .features = wanted.features ? torch::empty_like(features) : torch::Tensor(),
      .weight = zeros_if(wanted.weight, weight),
      .bias = zeros_if(wanted.bias, bias),
  };
  const int64_t rows = features.size(0);
  const auto room = torch::empty({std::min(rows, kChunk), weight.size(0)}, factor.options());
  for (int64_t first = 0; first < rows; first += kChunk) {
    const int64_t count = std::min(kChunk, rows - first);
    const auto x = inputs.narrow(0, first, count);  // [n, D]
    auto product = room.narrow(0, 0, count);        // [n, V]
    torch::mm_out(product, x, factor.t());
    auto logits = widen(product);
    if (bias.defined()) logits.add_(bias);
    result.sums += loss_rows_(logits, targets.narrow(0, first, count), smoothing, wanted.any());

    const auto gradient = logits.to(factor.scalar_type());  // [n, V]
    if (wanted.features) result.features.narrow(0, first, count).copy_(torch::mm(gradient, factor));
    if (wanted.weight) add_product(result.weight, gradient, x);
    if (wanted.bias) result.bias += logits.sum(0);
  }
  return result;
}

class ProjectedLossFunction : public torch::autograd::Function<ProjectedLossFunction> {
 public:
  static torch::autograd::variable_list forward(torch::autograd::AutogradContext* context,
                                                const torch::Tensor& features,
                                                const torch::Tensor& weight,
                                                const std::optional<torch::Tensor>& bias,
                                                const torch::Tensor& targets, double smoothing,
                                                const Wanted& wanted) {
    const auto result =
        in_chunks(features, weight, bias.value_or(torch::Tensor()), targets, smoothing, wanted);
    context->saved_data["features"] = result.features;
    context->saved_data["weight"] = result.weight;
    context->saved_data["bias"] = result.bias;

    const auto wide = torch::promote_types(features.scalar_type(), torch::kFloat);
    const auto sums = result.sums.unbind();
    const auto nll = sums[1].to(wide);
    const auto correct = sums[2].to(torch::kLong);
    context->mark_non_differentiable({nll, correct});
    return {sums[0].to(wide), nll, correct};
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::variable_list gradients) {
    const auto scaled = [&](const char* name) {
      const auto& kept = context->saved_data[name];
      if (!kept.isTensor() || !kept.toTensor().defined()) return torch::Tensor();
      return kept.toTensor() * gradients[0].to(kept.toTensor().scalar_type());
    };
    return {scaled("features"), scaled("weight"), scaled("bias"), {}, {}, {}};
  }
};

}  // namespace

ProjectedLoss projected_loss(const torch::Tensor& features, const torch::Tensor& weight,
                             const torch::Tensor& bias, const torch::Tensor& targets,
                             double smoothing) {
  TORCH_CHECK(features.dim() == 2 && features.size(1) == weight.size(1), "features ",
              features.sizes(), " do not meet a weight of ", weight.sizes());
  TORCH_CHECK(targets.dim() == 1 && targets.size(0) == features.size(0), features.size(0),
              " features for ", targets.sizes(), " targets");
  const bool tracked = torch::GradMode::is_enabled();
  const Wanted wanted{
      .features = tracked && features.requires_grad(),
      .weight = tracked && weight.requires_grad(),
      .bias = tracked && bias.defined() && bias.requires_grad(),
  };
  const auto sums = ProjectedLossFunction::apply(
      features, weight, bias.defined() ? std::optional(bias) : std::nullopt, targets.contiguous(),
      smoothing, wanted);
  return {.loss = sums[0], .nll = sums[1], .correct = sums[2]};
}

ProjectedLoss projected_loss_explicit(const torch::Tensor& features, const torch::Tensor& weight,
                                      const torch::Tensor& bias, const torch::Tensor& targets,
                                      double smoothing) {
  const auto logits = torch::linear(for_product(features), for_product(weight), for_product(bias));
  const auto log_p = torch::log_softmax(widen(logits), -1);      // [N, V]
  const auto at_target = log_p.gather(1, targets.unsqueeze(1));  // [N, 1]
  const auto nll = -at_target.sum();                             // []
  const auto uniform = -log_p.mean(-1).sum();                    // []
  const auto correct = (at_target >= log_p.amax(-1, /*keepdim=*/true)).sum();
  return {(1.0 - smoothing) * nll + smoothing * uniform, nll.detach(), correct};
}

}  // namespace heed::nn
