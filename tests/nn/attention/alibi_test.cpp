#include "nn/attention/alibi.h"

#include "nn/family_golden.h"

namespace heed::nn {
namespace {

TEST_CASE("ALiBi is the paper's bias with BLOOM's slopes", "[nn][alibi][golden]") {
  for (const auto& one : test::family_golden().at("alibi")) {
    const auto heads = one.at("heads").get<int64_t>();
    CAPTURE(heads);
    const auto bias = test::golden_tensor(one.at("bias"));  // [H, 4, 4]
    const Alibi alibi(heads);
    REQUIRE(test::max_diff(alibi->block(0, 4, 0, 4), bias) < 1e-6);
    REQUIRE(test::max_diff(alibi->block(2, 2, 1, 3), bias.narrow(1, 2, 2).narrow(2, 1, 3)) < 1e-6);
    REQUIRE(test::max_diff(alibi->block(103, 1, 100, 4), bias.narrow(1, 3, 1)) < 1e-6);
    REQUIRE(alibi->parameters().empty());
  }
}

}  // namespace
}  // namespace heed::nn
