#include "train/clip.h"

#include <cmath>
#include <limits>

#include "support/catch.h"
#include "support/close.h"

namespace heed::train {
namespace {

TEST_CASE("gradients 3 and 4 clipped to 1 are 0.6 and 0.8", "[train][clip][unit]") {
  const std::vector<torch::Tensor> grads = {torch::tensor({3.0F}), torch::tensor({{4.0F}})};
  const double norm = global_norm(grads).item<double>();
  REQUIRE(std::abs(norm - 5.0) < 1e-6);
  clip(grads, norm, 1.0);
  REQUIRE(std::abs(grads[0].item<double>() - 0.6) < 1e-6);
  REQUIRE(std::abs(grads[1].item<double>() - 0.8) < 1e-6);
}

TEST_CASE("a norm within the bound, or a bound of 0, changes nothing", "[train][clip][unit]") {
  const std::vector<torch::Tensor> grads = {torch::tensor({3.0F, 4.0F})};
  const auto before = grads[0].clone();
  for (const double bound : {0.0, 5.0, 100.0}) clip(grads, 5.0, bound);
  REQUIRE(torch::equal(grads[0], before));
}

TEST_CASE("one number that is not finite shows in the norm", "[train][clip][unit]") {
  for (const float bad :
       {std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(),
        std::numeric_limits<float>::quiet_NaN()}) {
    const std::vector<torch::Tensor> grads = {torch::ones({5}), torch::tensor({1.0F, bad})};
    REQUIRE(!std::isfinite(global_norm(grads).item<double>()));
  }
}

TEST_CASE("no gradients have no norm", "[train][clip][unit]") {
  REQUIRE(global_norm({}).item<double>() == 0.0);
  clip({}, 2.0, 1.0);
}

}  // namespace
}  // namespace heed::train
