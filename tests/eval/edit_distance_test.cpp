#include "eval/edit_distance.h"

#include <algorithm>

#include "base/random.h"
#include "support/catch.h"

using heed::eval::EditDistance;

namespace {

std::u32string random_text(heed::Random& random, std::size_t length) {
  std::u32string text;
  while (text.size() < length) text += static_cast<char32_t>(U'a' + random.below(4));
  return text;
}

int64_t plain_distance(const std::u32string& a, const std::u32string& b) {
  std::vector<int64_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<int64_t>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    auto corner = row[0];
    row[0] = static_cast<int64_t>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const auto replaced = corner + (a[i - 1] == b[j - 1] ? 0 : 1);
      corner = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

TEST_CASE("texts shorter than the beam have their plain edit distance",
          "[eval][edit_distance][property]") {
  const auto seed = GENERATE(range(0, 100));
  heed::Random random({static_cast<uint64_t>(seed)});
  const auto reference = random_text(random, 1 + random.below(20));
  auto hypothesis = random_text(random, random.below(20));

  EditDistance distance(hypothesis.size(), reference);
  CHECK(distance.keep(hypothesis) == plain_distance(hypothesis, reference));
  const auto same = random.below(hypothesis.size() + 1);
  std::reverse(hypothesis.begin() + static_cast<int64_t>(same), hypothesis.end());
  CHECK(distance.of(hypothesis, same) == plain_distance(hypothesis, reference));
}

TEST_CASE("what is far from the diagonal is not looked at", "[eval][edit_distance][unit]") {
  std::u32string words;
  while (words.size() < 100) words += static_cast<char32_t>(U'a' + words.size());
  const auto reference = words + std::u32string(30, U'!');
  const auto hypothesis = std::u32string(30, U'?') + words;
  EditDistance distance(hypothesis.size(), reference);
  CHECK(plain_distance(hypothesis, reference) == 60);
  CHECK(distance.keep(hypothesis) == 130);
}

TEST_CASE("an alignment gives each reference word its place", "[eval][edit_distance][unit]") {
  EditDistance distance(4, U"abcd");
  distance.keep(U"xacd");  // a is put before, b is gone
  const auto alignment = distance.alignment();
  const std::vector<int64_t> places = {0, 1, 2, 3};
  const std::vector<bool> wrong = {true, true, false, false};
  CHECK(alignment.of_reference == places);
  CHECK(alignment.reference_wrong == wrong);
  CHECK(alignment.hypothesis_wrong == wrong);
}

TEST_CASE("a reference word with nothing before it is placed before the first",
          "[eval][edit_distance][unit]") {
  EditDistance distance(1, U"ab");
  CHECK(distance.keep(U"b") == 1);
  const std::vector<int64_t> places = {-1, 0};
  CHECK(distance.alignment().of_reference == places);
}

TEST_CASE("very unequal lengths still meet", "[eval][edit_distance][unit]") {
  const std::u32string reference(300, U'a');
  EditDistance distance(2, reference);
  CHECK(distance.keep(U"aa") == 298);
  EditDistance other(300, U"aa");
  CHECK(other.keep(reference) == 298);
  EditDistance none(0, U"ab");
  CHECK(none.keep(U"") == 2);
}
