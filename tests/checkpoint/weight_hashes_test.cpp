#include "checkpoint/weight_hashes.h"

#include "base/error.h"
#include "base/files.h"
#include "support/catch.h"
#include "support/scratch.h"

namespace heed::checkpoint {
namespace {

TEST_CASE("a fingerprint is that of the values, whatever their layout",
          "[checkpoint][weight_hashes][unit]") {
  const auto x = torch::arange(6, torch::kFloat).view({2, 3});
  const auto hashes = hashes_of({{"x", x}, {"copy", x.t().contiguous().t()}, {"y", x + 1.0}});
  REQUIRE(hashes.at("x") == hashes.at("copy"));
  REQUIRE(hashes.at("x") != hashes.at("y"));
}

TEST_CASE("the first step and tensor that differ are named", "[checkpoint][weight_hashes][unit]") {
  const std::map<int64_t, WeightHashes> a{{10, {{"x", "1"}, {"y", "1"}}},
                                          {20, {{"x", "2"}, {"y", "2"}}},
                                          {30, {{"x", "3"}, {"y", "3"}}}};
  auto b = a;
  REQUIRE_FALSE(first_difference(a, b));
  b[30]["x"] = "4";
  b[20]["y"] = "4";
  auto parting = first_difference(a, b);
  REQUIRE(parting);
  REQUIRE(parting->step == 20);
  REQUIRE(parting->tensor == "y");
  REQUIRE(parting->last_equal == 10);
  b.erase(10);
  b.erase(20);
  parting = first_difference(a, b);
  REQUIRE(parting->step == 30);
  REQUIRE_FALSE(parting->last_equal);
}

TEST_CASE("lines are read, the later of a step, and a line that is cut off at the end is left out",
          "[checkpoint][weight_hashes][unit]") {
  const test::ScratchDirectory scratch;
  const auto file = scratch / "weights.jsonl";
  REQUIRE(read_weight_hashes(file).empty());
  write_file(file,
             "{\"step\": 1, \"tensors\": {\"x\": \"a\"}}\n"
             "{\"step\": 1, \"tensors\": {\"x\": \"b\"}}\n{\"step\": 2, \"ten");
  const auto steps = read_weight_hashes(file);
  REQUIRE(steps.size() == 1);
  REQUIRE(steps.at(1).at("x") == "b");
  write_file(file, "{\"step\": 1}\n{\"step\": 2, \"tensors\": {}}\n");
  REQUIRE_THROWS_WITH(read_weight_hashes(file), test::ContainsSubstring("weights.jsonl:1: "));
}

}  // namespace
}  // namespace heed::checkpoint
