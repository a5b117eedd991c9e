#include "eval/edit_rate.h"

#include <nlohmann/json.hpp>

#include "base/utf8.h"
#include "support/catch.h"
#include "support/golden.h"

using heed::eval::edits;

TEST_CASE("edits and shifts are counted as sacreBLEU counts them, to all its limits",
          "[eval][edit_rate][golden]") {
  for (const auto& example : heed::test::golden("eval_edits.json").at("cases")) {
    const auto hypothesis = example[0].get<std::string>();
    const auto reference = example[1].get<std::string>();
    INFO(hypothesis << " -> " << reference);
    CHECK(edits(heed::code_points(hypothesis), heed::code_points(reference)) ==
          example[2].get<int64_t>());
  }
}

TEST_CASE("a shift of several words is one edit", "[eval][edit_rate][unit]") {
  CHECK(edits(U"cdeab", U"abcde") == 1);
  CHECK(edits(U"abcde", U"abcde") == 0);
}

TEST_CASE("an empty side costs an edit for each word of the other", "[eval][edit_rate][unit]") {
  CHECK(edits(U"", U"abc") == 3);
  CHECK(edits(U"abc", U"") == 3);
  CHECK(edits(U"", U"") == 0);
}
