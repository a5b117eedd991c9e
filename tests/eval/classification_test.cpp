#include "eval/classification.h"

#include "support/catch.h"

using heed::eval::classification_scores;

namespace {
bool near(double a, double b) { return std::abs(a - b) < 1e-12; }
}  // namespace

TEST_CASE("scores follow from the table of labels and predictions",
          "[eval][classification][unit]") {
  const auto scores = classification_scores({0, 0, 0, 1, 1, 2}, {0, 0, 1, 1, 2, 0}, 3);
  const std::vector<std::vector<int64_t>> confusion = {{2, 1, 0}, {0, 1, 1}, {1, 0, 0}};
  CHECK(scores.confusion == confusion);
  CHECK(near(scores.accuracy, 3.0 / 6));
  REQUIRE(scores.per_class.size() == 3);
  CHECK(near(scores.per_class[0].precision, 2.0 / 3));
  CHECK(near(scores.per_class[0].recall, 2.0 / 3));
  CHECK(near(scores.per_class[0].f1, 2.0 / 3));
  CHECK(scores.per_class[0].support == 3);
  CHECK(near(scores.per_class[1].precision, 0.5));
  CHECK(near(scores.per_class[1].recall, 0.5));
  CHECK(scores.per_class[2].f1 == 0.0);
  CHECK(near(scores.macro_f1, (2.0 / 3 + 0.5 + 0.0) / 3));
}

TEST_CASE("a class that occurs nowhere doesn't pull the mean down",
          "[eval][classification][unit]") {
  const auto scores = classification_scores({0, 1}, {0, 1}, 3);
  CHECK(scores.macro_f1 == 1.0);
  CHECK(scores.per_class[2].f1 == 0.0);
  CHECK(scores.per_class[2].support == 0);
}

TEST_CASE("a class predicted but never right counts with 0", "[eval][classification][unit]") {
  const auto scores = classification_scores({0, 0}, {0, 1}, 2);
  CHECK(near(scores.macro_f1, (2.0 / 3 + 0.0) / 2));
}

TEST_CASE("no text gives zeros and a strange id is a mistake of the caller",
          "[eval][classification][unit]") {
  const auto scores = classification_scores({}, {}, 2);
  CHECK(scores.accuracy == 0.0);
  CHECK(scores.macro_f1 == 0.0);
  CHECK_THROWS_AS(classification_scores({2}, {0}, 2), std::logic_error);
  CHECK_THROWS_AS(classification_scores({0}, {-1}, 2), std::logic_error);
  CHECK_THROWS_AS(classification_scores({0}, {}, 2), std::logic_error);
}
