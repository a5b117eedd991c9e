#pragma once

#include "nn/golden.h"
#include "support/golden.h"

/// Reads what scripts/golden/nn_family.py wrote.
namespace heed::test {

inline const nlohmann::json& family_golden() { return golden("nn_family.json"); }

/// Copies the parameters named; all others (biases that the reference has not) become 0.
inline void copy_named(torch::nn::Module& module, const std::map<std::string, std::string>& names,
                       const nlohmann::json& tensors) {
  const torch::NoGradGuard no_grad;
  std::size_t copied = 0;
  for (auto& parameter : module.named_parameters()) {
    const auto name = names.find(parameter.key());
    if (name == names.end()) {
      parameter->zero_();
      continue;
    }
    parameter->copy_(golden_tensor(tensors.at(name->second)));
    ++copied;
  }
  REQUIRE(copied == names.size());
}

/// Gradients of the parameters named equal the reference's.
inline void require_gradients(const torch::nn::Module& module,
                              const std::map<std::string, std::string>& names,
                              const nlohmann::json& tensors) {
  const auto parameters = module.named_parameters();
  for (const auto& [ours, theirs] : names) {
    CAPTURE(ours);
    const auto expected = golden_tensor(tensors.at(theirs));
    REQUIRE(max_diff(parameters[ours].grad(), expected) <
            1e-5 * (1.0 + expected.abs().max().item<double>()));
  }
}

}  // namespace heed::test
