#include "decode/beam.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "decode/stub_scorer.h"
#include "decode/tiny_translator.h"
#include "support/catch.h"

namespace heed::decode {
namespace {

using test::Ids;
using test::kA;
using test::kB;
using test::kE;
using test::StubScorer;

std::vector<Hypothesis> search(const StubScorer::Table& table, int64_t limit,
                               const SearchOptions& options, int64_t vocabulary = 6) {
  StubScorer scorer({table}, vocabulary);
  return beam_search(scorer, {limit}, options).at(0);
}

TEST_CASE("a longer answer wins after an early ending, at every beam", "[decode][beam][unit]") {
  const int64_t beam_size = GENERATE(2, 3);
  CAPTURE(beam_size);
  const auto best = search(test::late_winner(), 20, {.beam_size = beam_size})[0];
  REQUIRE(best.ids == Ids{kB, kA, kB, kE});
  REQUIRE(std::abs(best.score + 0.3986) < 1e-4);
  REQUIRE_FALSE(best.at_limit);
}

TEST_CASE("without a length penalty the short answer wins", "[decode][beam][unit]") {
  const int64_t beam_size = GENERATE(1, 2, 3);
  CAPTURE(beam_size);
  const auto best =
      search(test::late_winner(), 20, {.beam_size = beam_size, .length_penalty = 0.0})[0];
  REQUIRE(best.ids == Ids{kA, kE});
  REQUIRE(std::abs(best.score + 1.2910) < 1e-4);
}

TEST_CASE("n-best lists are full, distinct and sorted", "[decode][beam][unit]") {
  const auto results = search(test::late_winner(), 20, {.beam_size = 3, .n_best = 3});
  REQUIRE(results.size() == 3);
  REQUIRE(results[0].ids == Ids{kB, kA, kB, kE});
  REQUIRE(results[1].ids == Ids{kA, kB, kA, kE});
  REQUIRE(results[2].ids == Ids{kA, kE});
  REQUIRE(std::abs(results[0].score + 0.3986) < 1e-4);
  REQUIRE(std::abs(results[1].score + 0.5518) < 1e-4);
  REQUIRE(std::abs(results[2].score + 0.6455) < 1e-4);
}

TEST_CASE("an n-best list longer than the beam is a bug of the caller", "[decode][beam][unit]") {
  StubScorer scorer({test::late_winner()}, 6);
  const SearchOptions options{.beam_size = 3, .n_best = 5};
  REQUIRE_THROWS_AS(beam_search(scorer, {20}, options), c10::Error);
}

/// Every sequence a table allows: those that end, and those that meet the limit.
void enumerate(const StubScorer::Table& table, int64_t limit, double penalty, Ids prefix,
               double sum, std::vector<Hypothesis>& all) {
  const auto& log_p = table.at(prefix);
  for (int64_t id = kE; id < std::ssize(log_p); ++id) {
    auto ids = prefix;
    ids.push_back(id);
    const auto length = std::ssize(ids);
    if (id == kE || length == limit) {
      const auto score = (sum + log_p[id]) / std::pow(static_cast<double>(length), penalty);
      all.push_back({.ids = ids, .token_scores = {}, .score = score, .at_limit = id != kE});
    } else {
      enumerate(table, limit, penalty, ids, sum + log_p[id], all);
    }
  }
}

TEST_CASE("a beam as wide as the tree finds what enumeration finds", "[decode][beam][property]") {
  const auto seed = GENERATE(range(0, 20));
  const auto penalty = GENERATE(0.0, 0.6, 1.0, 1.5);
  CAPTURE(seed, penalty);
  torch::manual_seed(seed);
  constexpr int64_t kVocabulary = 6, kLimit = 5;
  const auto table = test::random_table(kVocabulary, kLimit);
  std::vector<Hypothesis> all;
  enumerate(table, kLimit, penalty, {}, 0.0, all);
  std::ranges::sort(all, [](const auto& a, const auto& b) { return a.score > b.score; });

  const SearchOptions options{.beam_size = 50, .n_best = 10, .length_penalty = penalty};
  const auto found = search(table, kLimit, options);
  REQUIRE(found.size() == 10);
  for (std::size_t i = 0; i < found.size(); ++i) {
    CAPTURE(i);
    REQUIRE(found[i].ids == all[i].ids);
    REQUIRE(std::abs(found[i].score - all[i].score) < 1e-5);
    REQUIRE(found[i].at_limit == all[i].at_limit);
  }
}

TEST_CASE("asking for more hypotheses does not change the first ones", "[decode][beam][property]") {
  const auto seed = GENERATE(range(0, 20));
  CAPTURE(seed);
  torch::manual_seed(seed);
  const auto table = test::random_table(7, 6);
  const auto many = search(table, 6, {.beam_size = 4, .n_best = 4}, 7);
  for (int64_t n_best = 1; n_best < 4; ++n_best) {
    const auto few = search(table, 6, {.beam_size = 4, .n_best = n_best}, 7);
    for (int64_t i = 0; i < n_best; ++i) REQUIRE(few[i].ids == many[i].ids);
  }
}

TEST_CASE("a sentence gets the same hypotheses in every batch", "[decode][beam][property]") {
  const auto seed = GENERATE(range(0, 10));
  const int64_t beam_size = GENERATE(1, 2, 3);
  CAPTURE(seed, beam_size);
  torch::manual_seed(seed);
  std::vector<StubScorer::Table> tables;
  std::vector<int64_t> limits;
  for (int64_t i = 0; i < 9; ++i) {
    tables.push_back(test::random_table(6, 1 + i % 5));
    limits.push_back(1 + i % 5);
  }
  StubScorer together(tables, 6);
  const SearchOptions options{.beam_size = beam_size, .n_best = beam_size};
  const auto batched = beam_search(together, limits, options);
  for (std::size_t i = 0; i < tables.size(); ++i) {
    CAPTURE(i);
    const auto alone = search(tables[i], limits[i], options);
    REQUIRE(alone.size() == batched[i].size());
    for (std::size_t n = 0; n < alone.size(); ++n) {
      REQUIRE(alone[n].ids == batched[i][n].ids);
      REQUIRE(alone[n].score == batched[i][n].score);
    }
  }
}

TEST_CASE("finished sentences leave the batch", "[decode][beam][unit]") {
  // The second sentence could go on for long after the first has ended.
  StubScorer::Table short_one{{{}, {-20, -20, -20, -1e-6F, -20, -20}}};
  StubScorer::Table long_one;
  for (Ids prefix; prefix.size() < 8; prefix.push_back(kA)) {
    long_one[prefix] = {-20, -20, -20, -20, -1e-6F, -20};
  }
  StubScorer scorer({short_one, long_one}, 6);
  const auto results = beam_search(scorer, {8, 8}, {.beam_size = 2});
  REQUIRE(results[0][0].ids == Ids{kE});
  REQUIRE(results[1][0].ids == Ids(8, kA));
  REQUIRE(results[1][0].at_limit);
  REQUIRE(scorer.memory_selections() == 1);
  REQUIRE(scorer.row_steps() == 2 + 7 * 2);
}

TEST_CASE("ids that are never written don't appear, whatever their score", "[decode][beam][unit]") {
  const int64_t beam_size = GENERATE(1, 2, 3);
  CAPTURE(beam_size);
  const auto results = search(test::late_winner(), 20,
                              {.beam_size = beam_size, .n_best = beam_size, .never = {0, kA}});
  REQUIRE_FALSE(results.empty());
  for (const auto& result : results) REQUIRE(std::ranges::count(result.ids, kA) == 0);
}

TEST_CASE("a model whose scores are NaN is a fault of the model", "[decode][beam][unit]") {
  const int64_t beam_size = GENERATE(1, 3);
  StubScorer scorer({{{{}, std::vector<float>(6, std::nanf(""))}}}, 6);
  REQUIRE_THROWS_WITH(beam_search(scorer, {5}, {.beam_size = beam_size}),
                      test::ContainsSubstring("not finite"));
}

TEST_CASE("no sentences give no results", "[decode][beam][unit]") {
  StubScorer scorer({}, 6);
  REQUIRE(beam_search(scorer, {}, {.beam_size = 2}).empty());
}

TEST_CASE("a model's answers don't depend on batch size, order or neighbors",
          "[decode][beam][property]") {
  const int64_t beam_size = GENERATE(1, 4);
  const bool sorted = GENERATE(false, true);
  CAPTURE(beam_size, sorted);
  torch::manual_seed(1);
  const auto model = test::tiny_translator(1);
  auto sources = test::random_sources(50, 1, 30);
  if (sorted) {
    std::ranges::stable_sort(sources, {}, [](const auto& source) { return source.size(); });
  }
  const SearchOptions options{.beam_size = beam_size, .n_best = beam_size, .never = {0, 1, 2}};
  const auto together = test::search(*model, sources, options);
  std::set<Ids> distinct;
  for (const auto& list : together) distinct.insert(list[0].ids);
  REQUIRE(distinct.size() > 25);  // or the test would say little
  for (const std::size_t batch : {1, 3}) {
    for (std::size_t start = 0; start < sources.size(); start += batch) {
      const auto end = std::min(start + batch, sources.size());
      const auto part =
          test::search(*model, {sources.begin() + start, sources.begin() + end}, options);
      for (std::size_t i = start; i < end; ++i) {
        CAPTURE(batch, i);
        REQUIRE(part[i - start][0].ids == together[i][0].ids);
        REQUIRE(std::abs(part[i - start][0].score - together[i][0].score) < 1e-4);
      }
    }
  }
}

}  // namespace
}  // namespace heed::decode
