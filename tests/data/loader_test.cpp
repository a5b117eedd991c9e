#include "data/loader.h"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "data/bucket.h"
#include "data/examples.h"
#include "data/line_encoders.h"
#include "support/catch.h"

namespace data = heed::data;

namespace {

std::vector<data::Example> examples(int64_t count) {
  std::vector<data::Example> all(count);
  for (int64_t i = 0; i < count; ++i) {
    all[i].source.assign(1 + i % 7, 4 + i % 5);
    all[i].target.assign(1 + i % 9, 4 + i % 3);
    all[i].index = 100 + i;
  }
  return all;
}

std::vector<int64_t> names(const data::Batch& batch) {
  const auto* first = batch.examples.data_ptr<int64_t>();
  return {first, first + batch.size()};
}

data::Plan plan_of(const std::vector<data::Example>& all, int64_t batch_tokens, int64_t seed,
                   int64_t epoch) {
  return data::plan(data::shapes_of(all), batch_tokens, seed, epoch);
}

std::vector<int64_t> planned(const std::vector<data::Example>& all,
                             const std::vector<int64_t>& at) {
  std::vector<int64_t> found;
  for (const auto place : at) found.push_back(all[place].index);
  return found;
}

}  // namespace

TEST_CASE("batches are those of the plan, in order", "[data][loader][unit]") {
  const auto all = examples(60);
  const data::GrowingCorpus corpus(all);
  data::Loader loader(corpus, 40, 7);
  for (int64_t epoch = 0; epoch < 3; ++epoch) {
    const auto plan = plan_of(all, 40, 7, epoch);
    REQUIRE(loader.batches(epoch) == std::ssize(plan));
    for (int64_t i = 0; i < std::ssize(plan); ++i) {
      CHECK(names(loader.batch(epoch, i)) == planned(all, plan[i]));
    }
  }
}

TEST_CASE("any place may be asked for at any time", "[data][loader][property]") {
  const auto all = examples(60);
  const data::GrowingCorpus corpus(all);
  data::Loader loader(corpus, 40, 7);
  const std::vector<std::pair<int64_t, int64_t>> places = {{0, 0}, {0, 0}, {2, 3}, {2, 4},
                                                           {1, 1}, {0, 5}, {2, 5}, {2, 3}};
  for (const auto& [epoch, index] : places) {
    const auto plan = plan_of(all, 40, 7, epoch);
    CHECK(names(loader.batch(epoch, index)) == planned(all, plan[index]));
  }
}

TEST_CASE("a training that goes on in the middle of an epoch sees what it would have seen",
          "[data][loader][property]") {
  const std::vector<data::Example> all(10, {.source = {5, 6}, .target = {7, 8}});
  std::vector<data::Example> numbered = all;
  for (std::size_t i = 0; i < numbered.size(); ++i) numbered[i].index = static_cast<int64_t>(i);

  const auto collect = [&](data::Loader& loader, int64_t first, int64_t last) {
    std::vector<int64_t> seen;
    for (int64_t step = first; step < last; ++step) {
      const auto ids = names(loader.batch(step / 5, step % 5));
      seen.insert(seen.end(), ids.begin(), ids.end());
    }
    return seen;
  };
  const data::GrowingCorpus corpus(numbered);
  data::Loader straight(corpus, 6, 3), before(corpus, 6, 3), after(corpus, 6, 3);
  REQUIRE(straight.batches(0) == 5);
  auto resumed = collect(before, 0, 8);
  const auto rest = collect(after, 8, 15);
  resumed.insert(resumed.end(), rest.begin(), rest.end());
  CHECK(resumed == collect(straight, 0, 15));
}

TEST_CASE("past the last batch is a fault, and the loader goes on", "[data][loader][unit]") {
  const auto all = examples(20);
  const data::GrowingCorpus corpus(all);
  data::Loader loader(corpus, 40, 1);
  const auto count = loader.batches(0);
  CHECK_THROWS_AS(loader.batch(0, count), std::out_of_range);
  CHECK_THROWS_AS(loader.batch(0, -1), std::out_of_range);
  CHECK(loader.batch(0, count - 1).size() > 0);
  const data::GrowingCorpus nothing(std::vector<data::Example>{});
  CHECK_THROWS_AS(data::Loader(nothing, 40, 1), std::logic_error);
}

TEST_CASE("a loader may be left at any moment", "[data][loader][property]") {
  const auto all = examples(500);
  for (int64_t i = 0; i < 50; ++i) {
    const data::GrowingCorpus corpus(all);
    data::Loader loader(corpus, 2000, i);
    CHECK(loader.batch(0, 0).size() > 0);
  }
}

TEST_CASE("a prepared batch equals the one collated at once", "[data][loader][property]") {
  const auto all = data::test::caption_examples(150, 2);
  const data::GrowingCorpus corpus(all);
  data::Loader loader(corpus, 128, 5);
  const auto plan = plan_of(all, 128, 5, 1);
  for (std::size_t i = 0; i < plan.size(); ++i) {
    std::vector<const data::Example*> chosen;
    for (const auto place : plan[i]) chosen.push_back(&all[place]);
    const auto direct = data::collate(chosen);
    const auto batch = loader.batch(1, static_cast<int64_t>(i));
    CHECK(torch::equal(batch.source, direct.source));
    CHECK(torch::equal(batch.target_in, direct.target_in));
    CHECK(torch::equal(batch.target_out, direct.target_out));
    CHECK(batch.target_tokens == direct.target_tokens);
  }
}

TEST_CASE("the first epoch goes block by block, the same however fast the blocks come",
          "[data][loader][property]") {
  const int64_t lines = 1000, block = 128;
  const auto collect = [&](int64_t epoch, int64_t milliseconds, bool ask_for_batches) {
    const auto corpus = data::test::slow_corpus(lines, block, milliseconds);
    data::Loader loader(*corpus, 60, 3);
    std::vector<std::vector<int64_t>> seen;
    if (ask_for_batches) {
      while (std::ssize(seen) < loader.batches(epoch)) {
        seen.push_back(names(loader.batch(epoch, std::ssize(seen))));
      }
    } else {
      try {
        while (true) seen.push_back(names(loader.batch(epoch, std::ssize(seen))));
      } catch (const std::out_of_range&) {
      }
    }
    CHECK(loader.batches(epoch) == std::ssize(seen));
    return seen;
  };
  const auto first = collect(0, 0, true);
  CHECK(collect(0, 3, true) == first);
  CHECK(collect(0, 3, false) == first);

  std::vector<int64_t> all;
  for (std::size_t i = 0; i < first.size(); ++i) {
    for (const auto name : first[i]) {
      CHECK(name / block == first[i][0] / block);  // no batch of two blocks
      all.push_back(name);
    }
    if (i > 0) CHECK(first[i][0] / block >= first[i - 1][0] / block);
  }
  CHECK(std::ssize(all) == lines - lines / 10);  // every tenth is left out
  std::ranges::sort(all);
  CHECK(std::ranges::adjacent_find(all) == all.end());

  const auto second = collect(1, 2, true);
  CHECK(std::ranges::any_of(
      second, [&](const auto& batch) { return batch.front() / block != batch.back() / block; }));
}

TEST_CASE("the count of batches is never too small while blocks are to come",
          "[data][loader][property]") {
  const auto corpus = data::test::slow_corpus(1000, 100, 2);
  data::Loader loader(*corpus, 60, 1);
  int64_t index = 0;
  CHECK(loader.batches(0) > 0);
  while (index < loader.batches(0)) {
    loader.batch(0, index++);
  }
  CHECK(corpus->complete());
  CHECK(loader.batches(0) == index);
}

TEST_CASE("sampled segmentations are those of (seed, epoch, example)", "[data][loader][property]") {
  const auto batches = [](int64_t seed, int64_t epoch) {
    const auto corpus = data::test::sampling_corpus(50, seed);
    data::Loader loader(*corpus, 40, 1);
    std::vector<torch::Tensor> out;
    for (int64_t i = 0; i < loader.batches(epoch); ++i)
      out.push_back(loader.batch(epoch, i).source);
    return out;
  };
  const auto same = [](const std::vector<torch::Tensor>& a, const std::vector<torch::Tensor>& b) {
    return std::ranges::equal(a, b,
                              [](const auto& x, const auto& y) { return torch::equal(x, y); });
  };
  CHECK(same(batches(1, 0), batches(1, 0)));
  CHECK_FALSE(same(batches(1, 0), batches(2, 0)));

  const auto corpus = data::test::sampling_corpus(50, 1);
  const auto first = corpus->example(3, 0), again = corpus->example(3, 0);
  CHECK(first.source == again.source);
  bool differs = false;
  for (int64_t epoch = 1; epoch < 20; ++epoch) {
    differs = differs || corpus->example(3, epoch).source != first.source;
  }
  CHECK(differs);
}
