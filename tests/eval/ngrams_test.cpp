#include "eval/ngrams.h"

#include "support/catch.h"

using heed::eval::ngram_overlap;

TEST_CASE("an n-gram is shared as often as both sides hold it", "[eval][ngrams][unit]") {
  const auto singles = ngram_overlap(U"aaab", U"aab", 1);
  CHECK(singles.hypothesis == 4);
  CHECK(singles.reference == 3);
  CHECK(singles.shared == 3);

  const auto pairs = ngram_overlap(U"aaab", U"abab", 2);
  CHECK(pairs.hypothesis == 3);
  CHECK(pairs.reference == 3);
  CHECK(pairs.shared == 1);
}

TEST_CASE("a text shorter than n has no n-gram", "[eval][ngrams][unit]") {
  const auto overlap = ngram_overlap(U"ab", U"", 3);
  CHECK(overlap.hypothesis == 0);
  CHECK(overlap.reference == 0);
  CHECK(overlap.shared == 0);
}
