#include "decode/greedy.h"

#include <cmath>

#include "decode/stub_scorer.h"
#include "decode/tiny_translator.h"
#include "support/catch.h"

namespace heed::decode {
namespace {

using test::Ids;
using test::StubScorer;

TEST_CASE("greedy search takes the best token until EOS", "[decode][greedy][unit]") {
  StubScorer scorer({test::late_winner()}, 6);
  const auto best = greedy_search(scorer, {20}, {.beam_size = 1}).at(0).at(0);
  REQUIRE(best.ids == Ids{test::kA, test::kE});
  REQUIRE(std::abs(best.score + 0.6455) < 1e-4);
  REQUIRE(best.token_scores.size() == 2);
  REQUIRE(scorer.steps() == 2);
}

TEST_CASE("greedy search marks what meets the limit and keeps its last token",
          "[decode][greedy][unit]") {
  StubScorer scorer({test::late_winner()}, 6);
  const auto best = greedy_search(scorer, {1}, {.beam_size = 1}).at(0).at(0);
  REQUIRE(best.ids == Ids{test::kA});
  REQUIRE(best.at_limit);
}

/// The best token of each step, computed anew from the whole prefix every time.
Ids uncached_greedy(model::EncoderDecoder& model, const Ids& source, int64_t limit) {
  const torch::NoGradGuard no_grad;
  const auto memory = model.encode(test::padded({source}));
  Ids prefix{2}, ids;
  while (std::ssize(ids) < limit && (ids.empty() || ids.back() != 3)) {
    const auto features = model.decode(test::padded({prefix}), memory);  // [1, T, D]
    auto logits = model.logits(features.select(1, -1)).squeeze(0);       // [V]
    logits.narrow(0, 0, 3).fill_(-1e9);
    ids.push_back(logits.argmax().item<int64_t>());
    prefix.push_back(ids.back());
  }
  return ids;
}

TEST_CASE("beam 1 equals the best token of every step computed without a cache",
          "[decode][greedy][property]") {
  const auto seed = GENERATE(range(0, 3));
  CAPTURE(seed);
  torch::manual_seed(seed);
  const auto model = test::tiny_translator(seed);
  const auto sources = test::random_sources(20, 1, 15);
  const auto found = test::search(*model, sources, {.beam_size = 1, .never = {0, 1, 2}});
  for (std::size_t i = 0; i < sources.size(); ++i) {
    CAPTURE(i);
    REQUIRE(found[i][0].ids == uncached_greedy(*model, sources[i], 2 * std::ssize(sources[i])));
  }
}

TEST_CASE("rows of finished sentences leave the batch together", "[decode][greedy][unit]") {
  // Sentence i ends after i + 1 tokens.
  std::vector<StubScorer::Table> tables;
  for (int64_t i = 0; i < 20; ++i) {
    StubScorer::Table table;
    for (Ids prefix; std::ssize(prefix) <= i; prefix.push_back(test::kA)) {
      const bool ends = std::ssize(prefix) == i;
      table[prefix] = {-20, -20, -20, ends ? -1e-6F : -20, ends ? -20 : -1e-6F, -20};
    }
    tables.push_back(table);
  }
  StubScorer scorer(tables, 6);
  const auto results = greedy_search(scorer, std::vector<int64_t>(20, 30), {.beam_size = 1});
  for (std::size_t i = 0; i < results.size(); ++i) REQUIRE(results[i][0].ids.size() == i + 1);
  REQUIRE(scorer.row_steps() < 20 * 20 * 2 / 3);  // 400 if nobody left, 210 if all at once
}

}  // namespace
}  // namespace heed::decode
