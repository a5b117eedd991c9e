#include "decode/sentence_beam.h"

#include <cmath>
#include <limits>

#include "support/catch.h"

namespace heed::decode {
namespace {

constexpr int64_t kEnd = 3;
constexpr float kNone = -std::numeric_limits<float>::infinity();

TEST_CASE("an ending takes no place in the beam", "[decode][beam][unit]") {
  const SearchOptions options{.beam_size = 2, .n_best = 2};
  SentenceBeam beam(10, options);
  const std::vector<int64_t> ids{kEnd, 5, 4, 6};
  const std::vector<float> values{-0.5F, -1.5F, -2.0F, -3.0F};
  beam.advance(ids.data(), values.data(), 4);

  REQUIRE(beam.open().size() == 2);
  REQUIRE(beam.open()[0].last_id == 5);
  REQUIRE(beam.open()[1].last_id == 4);
  REQUIRE(beam.results().size() == 1);
}

TEST_CASE("an ending below the beam's width is not kept", "[decode][beam][unit]") {
  const SearchOptions options{.beam_size = 2, .n_best = 2};
  SentenceBeam beam(10, options);
  const std::vector<int64_t> ids{5, 4, kEnd, 6};
  const std::vector<float> values{-0.5F, -1.5F, -2.0F, -3.0F};
  beam.advance(ids.data(), values.data(), 4);
  REQUIRE(beam.results().empty());
  REQUIRE(beam.open().size() == 2);
}

TEST_CASE("a sentence is finished only when the best score still possible is no better",
          "[decode][beam][unit]") {
  const double penalty = GENERATE(0.0, 1.0, 2.0);
  CAPTURE(penalty);
  const SearchOptions options{.beam_size = 2, .n_best = 1, .length_penalty = penalty};
  const std::vector<int64_t> ids{kEnd, 4, 5, 6};

  // At length 8 the open -4 is worth -4 / 8^penalty at most.
  const float best_ahead = static_cast<float>(-4.0 / std::pow(8.0, penalty));
  for (const float margin : {-0.01F, 0.01F}) {
    const std::vector<float> values{best_ahead + margin, -4.0F, -4.5F, -9.0F};
    std::vector<float> sorted = values;
    std::vector<int64_t> order = ids;
    if (values[0] < -4.0F) {  // the ending ranks second then
      std::swap(sorted[0], sorted[1]);
      std::swap(order[0], order[1]);
    }
    SentenceBeam beam(8, options);
    beam.advance(order.data(), sorted.data(), 4);
    REQUIRE(beam.finished() == (margin > 0));
  }
}

TEST_CASE("what meets the limit is marked and keeps its last token", "[decode][beam][unit]") {
  const SearchOptions options{.beam_size = 2, .n_best = 2};
  SentenceBeam beam(2, options);
  const std::vector<int64_t> first{4, 5, 6, 7};
  const std::vector<float> first_values{-1.0F, -2.0F, -3.0F, -4.0F};
  beam.advance(first.data(), first_values.data(), 4);
  REQUIRE_FALSE(beam.finished());

  const std::vector<int64_t> second{4, kEnd, -1, -1, 4, kEnd, -1, -1};
  const std::vector<float> second_values{-0.1F, -3.0F, kNone, kNone, -0.3F, -4.0F, kNone, kNone};
  beam.advance(second.data(), second_values.data(), 4);
  REQUIRE(beam.finished());

  const auto results = beam.results();
  REQUIRE(results.size() == 2);
  REQUIRE(results[0].ids == std::vector<int64_t>{4, 4});
  REQUIRE(results[0].at_limit);
  REQUIRE(std::abs(results[0].score + 1.1 / 2) < 1e-6);
  REQUIRE(results[1].ids == std::vector<int64_t>{5, 4});
  REQUIRE(results[1].at_limit);
}

TEST_CASE("equal scores follow the hypothesis and then the id", "[decode][beam][unit]") {
  const SearchOptions options{.beam_size = 2, .n_best = 1};
  SentenceBeam beam(5, options);
  const std::vector<int64_t> ids{4, 5, 6, 7};
  const std::vector<float> values{-1.0F, -1.0F, -1.0F, -1.0F};
  beam.advance(ids.data(), values.data(), 4);
  REQUIRE(beam.open()[0].last_id == 4);
  REQUIRE(beam.open()[1].last_id == 5);
}

}  // namespace
}  // namespace heed::decode
