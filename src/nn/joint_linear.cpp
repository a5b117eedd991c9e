#include "nn/joint_linear.h"

#include <optional>
#include <utility>

#include "nn/precision.h"

namespace heed::nn {
namespace {

/// Moves parameters [rows, ...] that differ in their rows only into one buffer.
void lay_out(std::vector<torch::Tensor> parameters) {
  const torch::NoGradGuard no_grad;
  const auto buffer = torch::cat(parameters);
  int64_t row = 0;
  for (auto& parameter : parameters) {
    parameter.set_data(buffer.narrow(0, row, parameter.size(0)));
    row += parameter.size(0);
  }
}

/// The tensors as one, without a copy, or undefined where they don't lie one behind the other.
torch::Tensor as_one(const std::vector<torch::Tensor>& parts) {
  const auto& first = parts.front();
  const int64_t width = first.dim() == 2 ? first.size(1) : 1;
  int64_t rows = 0;
  for (const auto& part : parts) {
    const bool follows = part.is_alias_of(first) && part.is_contiguous() &&
                         part.dim() == first.dim() && (part.dim() == 1 || part.size(1) == width) &&
                         part.storage_offset() == first.storage_offset() + rows * width;
    if (!follows) return {};
    rows += part.size(0);
  }
  auto size = first.sizes().vec();
  size[0] = rows;
  return first.detach().as_strided(size, first.strides());
}

/// x W^T + b with W and b in parts: one multiplication forward, one for each gradient.
class JointLinear : public torch::autograd::Function<JointLinear> {
 public:
  static torch::Tensor forward(torch::autograd::AutogradContext* context, const torch::Tensor& x,
                               const torch::Tensor& weight,
                               const std::optional<torch::Tensor>& bias, at::TensorList parts) {
    std::vector<int64_t> rows;
    for (const auto& part : parts) rows.push_back(part.size(0));
    context->saved_data["rows"] = rows;  // of the weights, then of the biases
    context->saved_data["has_bias"] = bias.has_value();
    context->saved_data["kept_type"] = static_cast<int64_t>(weight.scalar_type());
    const auto factor = for_product(weight);
    context->save_for_backward({x, factor});
    return torch::linear(x, factor, bias ? for_product(*bias) : torch::Tensor());
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::variable_list gradients) {
    const auto saved = context->get_saved_variables();
    const auto& x = saved[0];
    const auto& weight = saved[1];
    const auto kept_type = static_cast<torch::ScalarType>(context->saved_data["kept_type"].toInt());
    const auto gradient = gradients[0].flatten(0, -2);  // [N, sum of out]

    torch::autograd::variable_list result(3);
    if (context->needs_input_grad(0)) {
      result[0] = torch::mm(gradient, weight).view(x.sizes());
    }
    const auto weight_gradient = torch::mm(gradient.t(), x.flatten(0, -2)).to(kept_type);
    const bool has_bias = context->saved_data["has_bias"].toBool();
    const auto bias_gradient = has_bias ? gradient.sum(0, false, kept_type) : torch::Tensor();

    const auto rows = context->saved_data["rows"].toIntVector();
    const std::size_t layers = has_bias ? rows.size() / 2 : rows.size();
    int64_t row = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (i == layers) row = 0;
      result.push_back((i < layers ? weight_gradient : bias_gradient).narrow(0, row, rows[i]));
      row += rows[i];
    }
    return result;
  }
};

}  // namespace

void make_adjacent(const std::vector<Linear>& layers) {
  std::vector<torch::Tensor> weights;
  std::vector<torch::Tensor> biases;
  for (const auto& layer : layers) {
    if (layer->packed()) return;
    weights.push_back(layer->weight());
    if (layer->bias().defined()) biases.push_back(layer->bias());
  }
  lay_out(std::move(weights));
  if (!biases.empty()) lay_out(std::move(biases));
}

std::vector<torch::Tensor> joint_linear(const torch::Tensor& x, const std::vector<Linear>& layers) {
  std::vector<torch::Tensor> weights;
  std::vector<torch::Tensor> biases;
  std::vector<int64_t> rows;
  bool packed = false;
  for (const auto& layer : layers) {
    packed |= layer->packed();
    weights.push_back(layer->weight());
    rows.push_back(layer->weight().size(0));
    if (layer->bias().defined()) biases.push_back(layer->bias());
  }
  const auto weight = packed ? torch::Tensor() : as_one(weights);
  const auto bias = biases.empty() ? torch::Tensor() : as_one(biases);
  if (!weight.defined() || (bias.defined() != !biases.empty())) {
    std::vector<torch::Tensor> results;
    for (const auto& layer : layers) results.push_back(layer->forward(x));
    return results;
  }
  weights.insert(weights.end(), biases.begin(), biases.end());
  const at::TensorList parts(weights);
  const auto result = JointLinear::apply(
      for_product(x), weight, bias.defined() ? std::optional(bias) : std::nullopt, parts);
  return result.split_with_sizes(rows, -1);
}

}  // namespace heed::nn
