#include "train/first_non_finite.h"

#include <limits>

#include "support/catch.h"

namespace heed::train {
namespace {

class TwoImpl : public torch::nn::Module {
 public:
  torch::Tensor first = register_parameter("first", torch::ones({2, 2}));
  torch::Tensor second = register_parameter("second", torch::ones({2, 2}));
};

TEST_CASE("the first operation that gives NaN or infinity is named with its parameter",
          "[train][first_non_finite][unit]") {
  TwoImpl module;
  const auto x = torch::full({3, 2}, 1e38);
  const auto found = first_non_finite(module, [&] {
    const auto y = torch::matmul(x, module.first);         // 2e38
    const auto z = torch::matmul(y, module.second + 0.0);  // 4e38 is beyond fp32
    (z - z).sum().backward();
  });
  REQUIRE_THAT(found, test::ContainsSubstring("mm near 'second'"));
}

TEST_CASE("a fault of the backward pass is found, too", "[train][first_non_finite][unit]") {
  TwoImpl module;
  const auto found = first_non_finite(module, [&] {
    (module.first - 1.0).sqrt().sum().backward();  // the slope of the root at 0
  });
  REQUIRE_FALSE(found.empty());
}

TEST_CASE("finite work names nothing, hidden scores included", "[train][first_non_finite][unit]") {
  TwoImpl module;
  const auto found = first_non_finite(module, [&] {
    constexpr double kHidden = -std::numeric_limits<double>::infinity();
    const auto hidden = torch::eye(2, torch::kBool);
    torch::matmul(module.first, module.second)
        .masked_fill(hidden, kHidden)
        .softmax(-1)
        .square()
        .sum()
        .backward();
  });
  REQUIRE(found.empty());
}

TEST_CASE("memory that is looked at before it is written names nothing",
          "[train][first_non_finite][unit]") {
  TwoImpl module;
  const auto unwritten = torch::full({2, 2}, std::numeric_limits<float>::quiet_NaN());
  const auto found = first_non_finite(module, [&] {
    at::_ops::resolve_conj::call(unwritten);
    at::_ops::resolve_neg::call(unwritten);
    at::_ops::contiguous::call(unwritten, at::MemoryFormat::Contiguous);
    unwritten.reshape({4}).unsqueeze(0).chunk(2, 1);
  });
  REQUIRE(found.empty());
}

}  // namespace
}  // namespace heed::train
