#include "train/precision.h"

#include "support/catch.h"

namespace heed::train {
namespace {

TEST_CASE("a CPU computes in fp32 unless told otherwise", "[train][precision][unit]") {
  REQUIRE(precision_name(pick_precision("auto", torch::kCPU)) == "fp32");
  REQUIRE(precision_name(pick_precision("fp32", torch::kCPU)) == "fp32");
  REQUIRE(precision_name(pick_precision("bf16", torch::kCPU)) == "bf16");
}

TEST_CASE("a CUDA device of today computes in bf16 on its own", "[train][precision][cuda]") {
  if (!at::hasCUDA()) {
    WARN("skipped: no CUDA device");
    return;
  }
  REQUIRE(precision_name(pick_precision("auto", torch::kCUDA)) == "bf16");
}

}  // namespace
}  // namespace heed::train
