#include "nn/rms_norm.h"

#include "nn/family_golden.h"

namespace heed::nn {
namespace {

TEST_CASE("RMSNorm and its gradients equal PyTorch's", "[nn][rms_norm][golden]") {
  const auto golden = test::family_golden().at("norms").at("rms");
  const std::map<std::string, std::string> names{{"weight", "weight"}};
  RmsNorm norm(RmsNormOptions{.d_model = 8});
  test::copy_named(*norm, names, golden.at("parameters"));
  const auto x = test::golden_input(golden, "x");
  const auto output = norm->forward(x);
  REQUIRE(test::max_diff(output, test::golden_tensor(golden.at("output"))) < 1e-5);
  (output * test::golden_tensor(golden.at("output_weight"))).sum().backward();
  REQUIRE(test::max_diff(x.grad(), test::golden_tensor(golden.at("input_gradients").at("x"))) <
          1e-4);
  test::require_gradients(*norm, names, golden.at("parameter_gradients"));
}

TEST_CASE("RMSNorm of half precision runs in fp32, and starts as a plain division",
          "[nn][rms_norm][unit]") {
  torch::manual_seed(1);
  const RmsNorm norm(RmsNormOptions{.d_model = 12});
  const auto x = torch::randn({3, 12}).to(torch::kBFloat16);
  const auto wide = x.to(torch::kFloat);
  const auto result = norm->forward(x);
  REQUIRE(result.scalar_type() == torch::kFloat);
  REQUIRE(test::max_diff(result, wide / (wide.square().mean(-1, true) + 1e-6).sqrt()) < 1e-6);
}

}  // namespace
}  // namespace heed::nn
