#include "train/freeze.h"

#include "base/error.h"
#include "support/catch.h"

namespace heed::train {
namespace {

class SmallImpl : public torch::nn::Module {
 public:
  SmallImpl() {
    const auto tied = register_parameter("embedding", torch::ones({2, 2}));
    register_parameter("layers_0_weight", torch::ones({2, 2}));
    register_parameter("layers_1_weight", torch::ones({2, 2}));
    register_parameter("output", tied);
  }
};

std::vector<std::string> trained(const torch::nn::Module& module) {
  std::vector<std::string> names;
  for (const auto& item : module.named_parameters()) {
    if (item.value().requires_grad()) names.push_back(item.key());
  }
  return names;
}

TEST_CASE("patterns freeze what they fit, tied parameters by any name", "[train][freeze][unit]") {
  SmallImpl module;
  REQUIRE(freeze(module, {"layers_?_weight"}) == 2);
  REQUIRE(trained(module) == std::vector<std::string>{"embedding", "output"});
  SmallImpl other;
  REQUIRE(freeze(other, {"output", "*_0_*"}) == 2);
  REQUIRE(trained(other) == std::vector<std::string>{"layers_1_weight"});
}

TEST_CASE("a pattern that fits nothing is answered with the nearest name",
          "[train][freeze][unit]") {
  SmallImpl module;
  REQUIRE_THROWS_WITH(freeze(module, {"embeding"}), test::ContainsSubstring("'embedding'"));
  REQUIRE(trained(module).size() == 4);
}

}  // namespace
}  // namespace heed::train
