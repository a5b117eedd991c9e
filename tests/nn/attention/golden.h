#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "nn/attention/core.h"
#include "support/catch.h"
#include "support/close.h"
#include "support/golden.h"

/// What scripts/golden/nn_attention.py wrote, for cores.
namespace heed::test {

class AttentionGolden {
 public:
  const nlohmann::json& json() const { return json_; }

  static torch::Tensor tensor(const nlohmann::json& json) {
    const auto shape = json.at("shape").get<std::vector<int64_t>>();
    const auto values = json.at("values").get<std::vector<double>>();
    return torch::tensor(values, torch::kDouble).view(shape);
  }

  torch::Tensor weight(const std::string& name) const {
    return tensor(json_.at("weights").at(name));
  }

  nn::CoreInput input(bool causal) const { return input_of(json_, causal); }

  /// The context that `core` gives in fp64 must be that of `name`.
  void require(nn::AttentionCore& core, const std::string& name, bool causal) const {
    core.to(torch::kDouble);
    const auto& expected = json_.at("contexts").at(causal ? "causal" : "both").at(name);
    REQUIRE(max_diff(core.forward(input(causal)), tensor(expected)) < 1e-9);
  }

  nn::CoreInput transformers_longformer() const {
    return input_of(json_.at("transformers_longformer"), false);
  }

 private:
  nn::CoreInput input_of(const nlohmann::json& json, bool causal) const {
    const auto lengths = json_.at("lengths").get<std::vector<int64_t>>();
    return {.query = tensor(json.at("query")),
            .key = tensor(json.at("key")),
            .value = tensor(json.at("value")),
            .visible = {.lengths = torch::tensor(lengths), .causal = causal}};
  }

  const nlohmann::json& json_ = golden("nn_attention.json");
};

}  // namespace heed::test
