#include "pipeline/source_batch.h"

#include "support/catch.h"

namespace heed::pipeline {
namespace {

TEST_CASE("a batch holds the chosen lines, EOS after each, then padding",
          "[pipeline][source_batch][unit]") {
  const std::vector<EncodedLine> lines{{{7, 8, 9}, 3}, {}, {{5}, 1}};
  const auto batch = source_batch(lines, {2, 0}, torch::kCPU);
  const auto expected = torch::tensor({{5, 3, 0, 0}, {7, 8, 9, 3}}, torch::kLong);
  REQUIRE(torch::equal(batch.ids, expected));
  REQUIRE(torch::equal(batch.lengths, torch::tensor({2, 4}, torch::kLong)));
  REQUIRE(batch.noise == nullptr);
}

}  // namespace
}  // namespace heed::pipeline
