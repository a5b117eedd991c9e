#include "nn/attention/kept_positions.h"

#include "support/catch.h"
#include "support/close.h"

namespace heed::nn {
namespace {

/// The distance itself, in one head.
class Distance final : public ScoreBias {
 public:
  torch::Tensor block(int64_t query_first, int64_t query_len, int64_t key_first,
                      int64_t key_len) const override {
    const auto query = torch::arange(query_first, query_first + query_len).unsqueeze(1);
    const auto key = torch::arange(key_first, key_first + key_len);
    return (key - query).to(torch::kFloat).unsqueeze(0);  // [1, Tq, Tk]
  }
};

TEST_CASE("kept keys stand where the ring put them", "[nn][kept_positions][unit]") {
  // Positions 2.. lie in a ring of three: 8 at 2 + (8 - 2) mod 3 = 2, 9 at 3, and 7 at 4.
  const KeptPositions kept{.sinks = 2, .ring = 3, .count = 10};
  const auto expected = torch::tensor({0, 1, 8, 9, 7}, torch::kLong);
  REQUIRE(torch::equal(kept.tensor(torch::kCPU), expected));
}

TEST_CASE("the bias of kept keys is that of their positions", "[nn][kept_positions][property]") {
  const auto sinks = GENERATE(values<int64_t>({0, 1, 4}));
  const auto ring = GENERATE(values<int64_t>({1, 3, 6}));
  const auto count = GENERATE(values<int64_t>({11, 12, 17}));
  CAPTURE(sinks, ring, count);
  const KeptPositions kept{.sinks = sinks, .ring = ring, .count = count};
  const Distance distance;
  const KeptBias bias(distance, kept);
  const auto places = kept.tensor(torch::kCPU);
  const auto expected = (places - (count - 1)).to(torch::kFloat).view({1, 1, -1});
  REQUIRE(test::max_diff(bias.block(count - 1, 1, 0, sinks + ring), expected) == 0.0);
}

}  // namespace
}  // namespace heed::nn
