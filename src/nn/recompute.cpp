#include "nn/recompute.h"

#include <utility>

#include <ATen/autocast_mode.h>
#include <torch/csrc/autograd/autograd.h>

namespace heed::nn {
namespace {

/// What the backward pass needs to do it again, with autocast as it was.
struct Kept : torch::CustomClassHolder {
  Layer layer;
  torch::DeviceType device = torch::kCPU;
  bool autocast = false;
  torch::ScalarType type = torch::kFloat;
};

/// Autocast as it was in the forward pass, while it lives.
class AsBefore {
 public:
  explicit AsBefore(const Kept& kept)
      : device_(kept.device),
        enabled_(at::autocast::is_autocast_enabled(device_)),
        type_(at::autocast::get_autocast_dtype(device_)) {
    at::autocast::increment_nesting();
    at::autocast::set_autocast_enabled(device_, kept.autocast);
    at::autocast::set_autocast_dtype(device_, kept.type);
  }
  ~AsBefore() {
    at::autocast::set_autocast_dtype(device_, type_);
    at::autocast::set_autocast_enabled(device_, enabled_);
    if (at::autocast::decrement_nesting() == 0) at::autocast::clear_cache();
  }
  AsBefore(const AsBefore&) = delete;
  AsBefore& operator=(const AsBefore&) = delete;

 private:
  torch::DeviceType device_;
  bool enabled_;
  torch::ScalarType type_;
};

class Recompute : public torch::autograd::Function<Recompute> {
 public:
  /// always: a tensor that needs a gradient, so that the backward pass comes here even where only
  /// parameters need one.
  static torch::Tensor forward(torch::autograd::AutogradContext* context,
                               const c10::intrusive_ptr<Kept>& kept, const torch::Tensor& always,
                               at::TensorList inputs) {
    (void)always;
    context->saved_data["kept"] = c10::IValue::make_capsule(kept);
    context->save_for_backward(inputs.vec());
    return kept->layer(inputs.vec());  // no graph is made in here
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::variable_list grads) {
    const auto capsule = context->saved_data["kept"].toCapsule();
    const auto& kept = static_cast<const Kept&>(*capsule);
    torch::autograd::variable_list inputs;
    for (const auto& input : context->get_saved_variables()) {
      inputs.push_back(input.defined() ? input.detach().set_requires_grad(input.requires_grad())
                                       : input);
    }
    torch::Tensor output;
    {
      const torch::AutoGradMode with_graph(true);
      const AsBefore autocast(kept);
      output = kept.layer(inputs);
    }
    torch::autograd::backward({output}, {grads[0]});
    torch::autograd::variable_list out{torch::Tensor(), torch::Tensor()};
    for (const auto& input : inputs)
      out.push_back(input.defined() ? input.grad() : torch::Tensor());
    return out;
  }
};

}  // namespace

torch::Tensor recompute(Layer layer, std::vector<torch::Tensor> inputs) {
  if (!torch::GradMode::is_enabled()) return layer(inputs);
  auto kept = c10::make_intrusive<Kept>();
  kept->layer = std::move(layer);
  kept->device = inputs.at(0).device().type();
  kept->autocast = at::autocast::is_autocast_enabled(kept->device);
  kept->type = at::autocast::get_autocast_dtype(kept->device);
  const auto always = torch::zeros({}).set_requires_grad(true);
  return Recompute::apply(kept, always, at::TensorList(inputs));
}

}  // namespace heed::nn
