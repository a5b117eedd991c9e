#include "data/regroup.h"

#include <algorithm>

#include "data/examples.h"
#include "support/catch.h"

namespace data = heed::data;

namespace {

int64_t cost(const std::vector<data::Shape>& shapes, const data::Plan& plan) {
  int64_t sum = 0;
  for (const auto& batch : plan) {
    int32_t source = 0, target = 0;
    for (const auto place : batch) {
      source = std::max(source, shapes[place].source);
      target = std::max(target, shapes[place].target);
    }
    sum += std::ssize(batch) * (source + 2 * target);
  }
  return sum;
}

}  // namespace

TEST_CASE("batches of like shape exchange examples until each has its own",
          "[data][regroup][unit]") {
  const std::vector<data::Shape> shapes = {{5, 9}, {9, 5}, {5, 9}, {9, 5}};
  data::Plan plan = {{0, 1}, {2, 3}};
  data::regroup(shapes, 20, plan);
  for (auto& batch : plan) std::ranges::sort(batch);
  std::ranges::sort(plan);
  CHECK(plan == data::Plan{{0, 2}, {1, 3}});
}

TEST_CASE("no example is lost, no batch too large and none dearer", "[data][regroup][property]") {
  const auto labeled = GENERATE(false, true);
  const auto batch_tokens = GENERATE(8, 64, 500);
  const auto shapes = data::shapes_of(labeled ? data::test::labeled_examples(700, 5)
                                              : data::test::caption_examples(700, 5));
  auto plan = data::plan_sorted(shapes, batch_tokens);
  const auto before = plan;
  data::regroup(shapes, batch_tokens, plan);
  CHECK(plan.size() == before.size());
  CHECK(cost(shapes, plan) <= cost(shapes, before));
  std::vector<int64_t> places;
  for (const auto& batch : plan) {
    CHECK_FALSE(batch.empty());
    int64_t tokens = 0;
    for (const auto place : batch) tokens += shapes[place].counted();
    CHECK((tokens <= batch_tokens || batch.size() == 1));
    places.insert(places.end(), batch.begin(), batch.end());
  }
  std::ranges::sort(places);
  for (int64_t i = 0; i < 700; ++i) CHECK(places[i] == i);
}
