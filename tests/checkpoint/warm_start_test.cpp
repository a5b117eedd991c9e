#include "checkpoint/warm_start.h"

#include "base/error.h"
#include "support/catch.h"
#include "support/scratch.h"

namespace heed::checkpoint {
namespace {

using Names = std::vector<std::string>;

class SmallImpl : public torch::nn::Module {
 public:
  SmallImpl() {
    register_parameter("same", torch::zeros({2, 2}));
    register_parameter("wider", torch::zeros({2, 3}));
    register_parameter("new", torch::zeros({2}));
  }
};

TEST_CASE("a warm start takes what fits and lists the rest", "[checkpoint][warm_start][unit]") {
  SmallImpl module;
  const NamedTensors tensors{
      {"same", torch::ones({2, 2})}, {"wider", torch::ones({2, 2})}, {"old", torch::ones({2})}};
  const auto result = warm_start(module, tensors, "here");
  REQUIRE(result.taken == Names{"same"});
  REQUIRE(result.missing == Names{"new"});
  REQUIRE(result.extra == Names{"old"});
  REQUIRE(result.reshaped == Names{"wider"});
  REQUIRE(module.named_parameters()["same"].sum().item<double>() == 4.0);
  REQUIRE(module.named_parameters()["wider"].sum().item<double>() == 0.0);
}

TEST_CASE("weights that have nothing in common are refused", "[checkpoint][warm_start][unit]") {
  SmallImpl module;
  REQUIRE_THROWS_WITH(warm_start(module, {{"a", torch::ones({1})}}, "x.safetensors"),
                      test::ContainsSubstring("x.safetensors: none of its 1 tensors"));
}

TEST_CASE("weights are read from a file, and what is none is named",
          "[checkpoint][warm_start][unit]") {
  const test::ScratchDirectory scratch;
  write_safetensors(scratch / "w.safetensors", {{"a", torch::full({2}, 3.0)}});
  REQUIRE(weights_at(scratch / "w.safetensors").at("a").sum().item<double>() == 6.0);
  REQUIRE_THROWS_AS(weights_at(scratch / "none.safetensors"), Error);
  REQUIRE_THROWS_AS(weights_at(scratch.path()), CheckpointError);
}

}  // namespace
}  // namespace heed::checkpoint
