#include "bench/attention.h"

#include "base/error.h"
#include "model/attention_registry.h"
#include "support/catch.h"

namespace bench = heed::bench;

namespace {

bench::AttentionCell small_cell(const std::string& type) {
  bench::AttentionCell cell{.type = type, .length = 96, .batch = 2};
  cell.model.d_model = 16;
  cell.model.heads = type == "single_head" ? 1 : 2;
  cell.model.attention.window = 8;
  return cell;
}

}  // namespace

TEST_CASE("every variant can be measured", "[bench][attention][unit]") {
  const auto type = GENERATE(from_range(bench::attention_bench_types()));
  CAPTURE(type);
  const auto cost = bench::bench_attention(small_cell(type), torch::kCPU);
  CHECK(cost.forward_ms > 0.0);
  CHECK(cost.training_ms > cost.forward_ms);
  CHECK(cost.forward_memory_mb >= 0.0);
  CHECK(cost.training_memory_mb >= cost.forward_memory_mb);
  CHECK(cost.peak_memory_mb > cost.training_memory_mb);
}

TEST_CASE("the matrix of scores shows in the memory of the explicit form",
          "[bench][attention][unit]") {
  bench::AttentionCell cell{.type = "explicit", .length = 2048};
  cell.model.d_model = 16;
  cell.model.heads = 1;
  const auto cost = bench::bench_attention(cell, torch::kCPU);
  CHECK(cost.forward_memory_mb > 16);  // 16 MiB a matrix; other tests left some to use
  CHECK(cost.forward_memory_mb < 6 * 16);
  CHECK(cost.training_memory_mb > cost.forward_memory_mb);
}

TEST_CASE("explicit and fused stand for multi_head, and an unknown type is refused",
          "[bench][attention][unit]") {
  const auto types = bench::attention_bench_types();
  CHECK(types.size() == heed::model::attention_types().size() + 1);
  CHECK(types[0] == "explicit");
  CHECK(types[1] == "fused");
  CHECK_THROWS_AS(bench::check_attention_bench_type("multi_head"), heed::ConfigError);
  CHECK_THROWS_AS(bench::bench_attention(small_cell("none"), torch::kCPU), heed::ConfigError);
}
