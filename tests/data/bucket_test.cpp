#include "data/bucket.h"

#include <algorithm>
#include <vector>

#include "base/random.h"
#include "data/examples.h"
#include "support/catch.h"

namespace data = heed::data;
using data::Plan;

namespace {

/// As lengths of real text are: most near 12, some long, the sides alike but not equal.
std::vector<data::Example> examples(int64_t count, uint64_t seed) {
  heed::Random random({seed});
  std::vector<data::Example> all(count);
  for (int64_t i = 0; i < count; ++i) {
    const auto target = 1 + random.below(8) + random.below(8) + random.below(8);
    all[i].target.resize(target);
    all[i].source.resize(std::max<int64_t>(1, static_cast<int64_t>(target + random.below(5)) - 2));
    all[i].index = i;
  }
  return all;
}

int64_t target_tokens(const std::vector<data::Example>& all, const std::vector<int64_t>& batch) {
  int64_t tokens = 0;
  for (const auto place : batch) tokens += std::ssize(all[place].target) + 1;
  return tokens;
}

/// Share of padding among the places of both sides.
double padding(const std::vector<data::Example>& all, const Plan& plan) {
  int64_t real = 0, places = 0;
  for (const auto& batch : plan) {
    int64_t source = 0, target = 0;
    for (const auto place : batch) {
      source = std::max<int64_t>(source, std::ssize(all[place].source) + 1);
      real += std::ssize(all[place].source) + 1;
      if (all[place].label >= 0) continue;
      target = std::max<int64_t>(target, std::ssize(all[place].target) + 1);
      real += std::ssize(all[place].target) + 1;
    }
    places += (source + target) * std::ssize(batch);
  }
  return 1.0 - static_cast<double>(real) / static_cast<double>(places);
}

Plan planned(const std::vector<data::Example>& all, int64_t batch_tokens, int64_t seed,
             int64_t epoch) {
  return data::plan(data::shapes_of(all), batch_tokens, seed, epoch);
}

std::vector<int64_t> in_order(const Plan& plan) {
  std::vector<int64_t> places;
  for (const auto& batch : plan) places.insert(places.end(), batch.begin(), batch.end());
  return places;
}

}  // namespace

TEST_CASE("every example is in an epoch once, in batches no larger than asked for",
          "[data][bucket][property]") {
  const auto seed = GENERATE(range(0, 5));
  const auto count = GENERATE(1, 2, 57, 1000);
  const auto all = examples(count, seed);
  const auto plan = planned(all, 300, seed, 3);
  auto places = in_order(plan);
  std::ranges::sort(places);
  REQUIRE(std::ssize(places) == count);
  for (int64_t i = 0; i < count; ++i) CHECK(places[i] == i);
  for (const auto& batch : plan) {
    CHECK_FALSE(batch.empty());
    CHECK(target_tokens(all, batch) <= 300);
  }
}

TEST_CASE("a plan is a function of seed and epoch, and differs with each",
          "[data][bucket][property]") {
  const auto all = examples(500, 1);
  CHECK(planned(all, 200, 1, 0) == planned(all, 200, 1, 0));
  CHECK(planned(all, 200, 1, 0) != planned(all, 200, 1, 1));
  CHECK(planned(all, 200, 1, 0) != planned(all, 200, 2, 0));

  auto sorted = planned(all, 200, 1, 0), other = planned(all, 200, 1, 1);
  std::ranges::sort(sorted);
  std::ranges::sort(other);
  CHECK(sorted != other);  // not the order of batches alone
}

TEST_CASE("examples of equal length are drawn too", "[data][bucket][unit]") {
  std::vector<data::Example> all(10);
  for (auto& example : all) example.source = example.target = {5, 6, 7, 8};
  const auto plan = planned(all, 10, 1, 0);
  REQUIRE(plan.size() == 5);
  for (const auto& batch : plan) CHECK(batch.size() == 2);
  CHECK(in_order(plan) != in_order(planned(all, 10, 1, 1)));
}

TEST_CASE("what is longer than a batch gets one of its own", "[data][bucket][unit]") {
  std::vector<data::Example> all(3);
  all[0].target.resize(4);
  all[1].target.resize(500);
  all[2].target.resize(3);
  for (auto& example : all) example.source = {5};
  auto plan = planned(all, 32, 1, 0);
  std::ranges::sort(plan, {}, [](const auto& batch) { return batch.size(); });
  REQUIRE(plan.size() == 2);
  CHECK(plan[0] == std::vector<int64_t>{1});
  CHECK(plan[1].size() == 2);
}

TEST_CASE("captions need little padding", "[data][bucket][property]") {
  const auto labeled = GENERATE(false, true);
  const auto all =
      labeled ? data::test::labeled_examples(29'000, 3) : data::test::caption_examples(29'000, 3);
  CHECK(padding(all, planned(all, 2048, 1, 0)) <= 0.02);
  CHECK(padding(all, data::plan_sorted(all, 2048)) <= 0.025);
  CHECK(padding(all, planned(all, 4096, 1, 0)) <= (labeled ? 0.02 : 0.03));
}

TEST_CASE("targets, which cost the most, are padded the least", "[data][bucket][property]") {
  const auto all = data::test::caption_examples(29'000, GENERATE(range(0, 3)));
  const auto plan = planned(all, 4096, 1, 0);
  int64_t real = 0, places = 0;
  for (const auto& batch : plan) {
    int64_t longest = 0;
    for (const auto place : batch) longest = std::max(longest, std::ssize(all[place].target) + 1);
    real += target_tokens(all, batch);
    places += longest * std::ssize(batch);
  }
  CHECK(1.0 - static_cast<double>(real) / static_cast<double>(places) <= 0.02);
}

TEST_CASE("each block of an epoch has its own draw", "[data][bucket][property]") {
  const auto shapes = data::shapes_of(examples(300, 1));
  CHECK(data::plan(shapes, 200, 1, 0, 0) != data::plan(shapes, 200, 1, 0, 1));
  CHECK(data::plan(shapes, 200, 1, 0, 1) == data::plan(shapes, 200, 1, 0, 1));
}

TEST_CASE("lengths come in no order during an epoch", "[data][bucket][unit]") {
  const auto all = data::test::caption_examples(2000, 1);
  const auto plan = planned(all, 256, 1, 0);
  int64_t longer = 0;
  for (std::size_t i = 1; i < plan.size(); ++i) {
    longer += all[plan[i][0]].target.size() > all[plan[i - 1][0]].target.size();
  }
  CHECK(longer > std::ssize(plan) / 4);
  CHECK(longer < std::ssize(plan) * 3 / 4);
}

TEST_CASE("a classifier's batches count source tokens", "[data][bucket][unit]") {
  std::vector<data::Example> all(8);
  for (auto& example : all) {
    example.source = {5, 6, 7};
    example.label = 0;
  }
  for (const auto& batch : planned(all, 8, 1, 0)) CHECK(batch.size() == 2);
}

TEST_CASE("evaluation goes by length, the same every time", "[data][bucket][unit]") {
  const auto all = examples(200, 4);
  const auto plan = data::plan_sorted(all, 100);
  CHECK(plan == data::plan_sorted(all, 100));
  const auto places = in_order(plan);
  CHECK(std::ranges::is_sorted(places, {}, [&](int64_t i) {
    return std::max(all[i].source.size(), all[i].target.size() + 1);
  }));
  CHECK(data::plan_sorted(std::vector<data::Example>{}, 100).empty());
}
