#pragma once

#include <map>
#include <string>

#include <nlohmann/json.hpp>

#include "support/catch.h"
#include "support/close.h"
#include "support/golden.h"

/// Reads what scripts/golden/nn_layers.py wrote.
namespace heed::test {

inline const nlohmann::json& nn_golden() { return golden("nn_layers.json"); }

inline torch::Tensor golden_tensor(const nlohmann::json& json) {
  const auto shape = json.at("shape").get<std::vector<int64_t>>();
  return torch::tensor(json.at("values").get<std::vector<float>>()).view(shape);
}

/// A parameter of ours and the one of PyTorch it equals: a third of it where `third` is 0, 1 or 2.
struct Same {
  std::string theirs;
  int64_t third = -1;

  torch::Tensor of(const nlohmann::json& tensors) const {
    const auto whole = golden_tensor(tensors.at(theirs));
    return third < 0 ? whole : whole.chunk(3).at(static_cast<std::size_t>(third));
  }
};

/// The names of an attention's parameters: `ours` and `theirs` are its paths.
inline void name_attention(std::map<std::string, Same>& names, const std::string& ours,
                           const std::string& theirs) {
  const std::string parts[] = {"q_proj", "k_proj", "v_proj"};
  for (int64_t i = 0; i < 3; ++i) {
    names[ours + parts[i] + ".weight"] = {theirs + "in_proj_weight", i};
    names[ours + parts[i] + ".bias"] = {theirs + "in_proj_bias", i};
  }
  names[ours + "out_proj.weight"] = {theirs + "out_proj.weight"};
  names[ours + "out_proj.bias"] = {theirs + "out_proj.bias"};
}

inline void name_pair(std::map<std::string, Same>& names, const std::string& ours,
                      const std::string& theirs) {
  names[ours + ".weight"] = {theirs + ".weight"};
  names[ours + ".bias"] = {theirs + ".bias"};
}

inline void copy_golden(torch::nn::Module& module, const std::map<std::string, Same>& names,
                        const nlohmann::json& golden) {
  const torch::NoGradGuard no_grad;
  REQUIRE(module.named_parameters().size() == names.size());
  for (auto& parameter : module.named_parameters()) {
    parameter->copy_(names.at(parameter.key()).of(golden.at("parameters")));
  }
}

/// Output and every gradient equal PyTorch's. inputs: by their name in the file, requiring grad
inline void require_golden(const torch::Tensor& output, const torch::nn::Module& module,
                           const std::map<std::string, torch::Tensor>& inputs,
                           const std::map<std::string, Same>& names, const nlohmann::json& golden) {
  REQUIRE(max_diff(output, golden_tensor(golden.at("output"))) < 1e-5);
  (output * golden_tensor(golden.at("output_weight"))).sum().backward();
  for (const auto& [name, input] : inputs) {
    CAPTURE(name);
    REQUIRE(max_diff(input.grad(), golden_tensor(golden.at("input_gradients").at(name))) < 1e-5);
  }
  for (const auto& parameter : module.named_parameters()) {
    CAPTURE(parameter.key());
    const auto expected = names.at(parameter.key()).of(golden.at("parameter_gradients"));
    REQUIRE(max_diff(parameter->grad(), expected) <
            1e-5 * (1.0 + expected.abs().max().item<double>()));
  }
}

inline torch::Tensor golden_input(const nlohmann::json& golden, const std::string& name) {
  return golden_tensor(golden.at("inputs").at(name)).requires_grad_();
}

}  // namespace heed::test
