#include "pipeline/workers.h"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <stdexcept>
#include <thread>

#include "base/torch.h"
#include "support/catch.h"

namespace heed::pipeline {
namespace {

TEST_CASE("every work is done once, whatever the number of workers",
          "[pipeline][workers][property]") {
  const int64_t workers = GENERATE(1, 2, 3, 8);
  const int64_t count = GENERATE(0, 1, 5, 100);
  CAPTURE(workers, count);
  std::vector<std::atomic<int>> done(count);
  run_works(count, workers, [&](int64_t i) { ++done[i]; });
  REQUIRE(std::ranges::all_of(done, [](const auto& times) { return times == 1; }));
}

TEST_CASE("a work that fails stops the others and comes out", "[pipeline][workers][unit]") {
  const int64_t workers = GENERATE(1, 3);
  std::atomic<int64_t> done = 0;
  const auto work = [&](int64_t i) {
    if (i == 2) throw std::runtime_error("the third");
    ++done;
  };
  REQUIRE_THROWS_WITH(run_works(100000, workers, work), "the third");
  REQUIRE(done < 99999);
}

TEST_CASE("workers use one thread each and leave the caller's number alone",
          "[pipeline][workers][unit]") {
  const int64_t workers = GENERATE(1, 2);
  const int before = at::get_num_threads();
  at::set_num_threads(2);
  std::atomic<int> most = 0;
  run_works(4, workers, [&](int64_t) { most = std::max<int>(most, at::get_num_threads()); });
  REQUIRE(most == 1);
  REQUIRE(at::get_num_threads() == 2);

  std::atomic<int> in_new_thread = 0;
  std::jthread([&] { in_new_thread = at::get_num_threads(); }).join();
  REQUIRE(in_new_thread == 2);
  at::set_num_threads(before);
}

TEST_CASE("batches hold every line that is not empty once, neighbors in length, longest first",
          "[pipeline][workers][property]") {
  const auto seed = GENERATE(range(0, 5));
  const int64_t batch_size = GENERATE(1, 3, 64);
  const int64_t workers = GENERATE(1, 2, 4);
  CAPTURE(seed, batch_size, workers);
  torch::manual_seed(seed);
  const auto drawn = torch::randint(0, 10, {30}, torch::kLong);
  const std::vector<int64_t> lengths(drawn.data_ptr<int64_t>(), drawn.data_ptr<int64_t>() + 30);

  std::vector<int64_t> seen;
  int64_t last = 1000;
  for (const auto& batch : batches_by_length(lengths, batch_size, workers)) {
    REQUIRE(std::ssize(batch) <= batch_size);
    for (const auto place : batch) {
      REQUIRE(lengths[place] <= last);
      last = lengths[place];
      seen.push_back(place);
    }
  }
  std::ranges::sort(seen);
  std::vector<int64_t> expected;
  for (int64_t i = 0; i < 30; ++i) {
    if (lengths[i] > 0) expected.push_back(i);
  }
  REQUIRE(seen == expected);
}

TEST_CASE("few lines are shared among the workers", "[pipeline][workers][unit]") {
  REQUIRE(batches_by_length({5, 4, 3, 2}, 64, 2).size() == 2);
  REQUIRE(batches_by_length({5, 4, 3, 2}, 64, 1).size() == 1);
  REQUIRE(batches_by_length({}, 64, 2).empty());
}

}  // namespace
}  // namespace heed::pipeline
