#include "eval/ngrams.h"

#include <algorithm>
#include <map>

#include "base/random.h"
#include "support/catch.h"

using heed::eval::shared_ngrams;

namespace {

using Texts = std::vector<std::u32string>;

std::u32string random_text(heed::Random& random, uint64_t longest, uint64_t symbols) {
  std::u32string text;
  const auto length = random.below(longest + 1);
  while (text.size() < length) text += static_cast<char32_t>(random.below(symbols));
  return text;
}

std::map<std::u32string, int64_t> counts(const std::u32string& text, std::size_t n) {
  std::map<std::u32string, int64_t> out;
  for (std::size_t i = 0; i + n <= text.size(); ++i) ++out[text.substr(i, n)];
  return out;
}

int64_t shared_of(const std::u32string& hypothesis, const Texts& references, std::size_t n) {
  std::map<std::u32string, int64_t> most;
  for (const auto& reference : references) {
    for (const auto& [ngram, count] : counts(reference, n)) {
      most[ngram] = std::max(most[ngram], count);
    }
  }
  int64_t shared = 0;
  for (const auto& [ngram, count] : counts(hypothesis, n)) {
    if (most.contains(ngram)) shared += std::min(count, most[ngram]);
  }
  return shared;
}

}  // namespace

TEST_CASE("an n-gram is shared as often as both sides hold it", "[eval][ngrams][unit]") {
  const std::vector<int64_t> expected = {3, 1};
  CHECK(shared_ngrams(U"aaab", Texts{U"aab"}, 1) == std::vector<int64_t>{3});
  CHECK(shared_ngrams(U"aaab", Texts{U"abab"}, 2) == expected);
}

TEST_CASE("of several references each n-gram is looked for where there is most of it",
          "[eval][ngrams][unit]") {
  const std::vector<int64_t> expected = {4, 1};
  CHECK(shared_ngrams(U"aabb", Texts{U"aacb", U"bcba"}, 2) == expected);
}

TEST_CASE("a text shorter than n has no n-gram", "[eval][ngrams][unit]") {
  const std::vector<int64_t> none = {0, 0, 0};
  CHECK(shared_ngrams(U"ab", Texts{U""}, 3) == none);
  CHECK(shared_ngrams(U"", Texts{U"ab"}, 3) == none);
  CHECK(heed::eval::ngrams(2, 3) == 0);
  CHECK(heed::eval::ngrams(3, 3) == 1);
}

TEST_CASE("shared n-grams are those of plain counting", "[eval][ngrams][property]") {
  const auto seed = GENERATE(range(0, 200));
  heed::Random random({static_cast<uint64_t>(seed)});
  const auto symbols = 1 + random.below(seed % 2 == 0 ? 3 : 40);
  const auto hypothesis = random_text(random, 30, symbols);
  Texts references{random_text(random, 30, symbols)};
  while (random.below(3) == 0) references.push_back(random_text(random, 30, symbols));

  const auto shared = shared_ngrams(hypothesis, references, 6);
  for (std::size_t n = 1; n <= 6; ++n) {
    CHECK(shared[n - 1] == shared_of(hypothesis, references, n));
  }
}
