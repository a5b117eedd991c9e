#include "eval/ter.h"

#include <nlohmann/json.hpp>

#include "support/catch.h"
#include "support/golden.h"

using heed::eval::corpus_ter;
using heed::eval::TerOptions;

namespace {

using Lines = std::vector<std::string>;

TerOptions options_of(const nlohmann::json& column) {
  return {.normalized = column["normalized"] == 1,
          .no_punct = column["no_punct"] == 1,
          .asian_support = column["asian_support"] == 1,
          .case_sensitive = column["case_sensitive"] == 1};
}

}  // namespace

TEST_CASE("TER equals sacreBLEU's in every script and with every option", "[eval][ter][golden]") {
  const auto reference = heed::test::golden("eval_scores.json");
  const auto columns = reference["ter_columns"];
  for (const auto& example : reference["cases"]) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      INFO("hypothesis " << example["hypotheses"].dump() << " reference "
                         << example["references"].dump() << " options " << columns[i].dump());
      CHECK(std::abs(corpus_ter(example["hypotheses"].get<Lines>(),
                                example["references"].get<Lines>(), options_of(columns[i])) -
                     example["ter"][i].get<double>()) < 1e-9);
    }
  }
}

TEST_CASE("the signature of TER is sacreBLEU's", "[eval][ter][golden]") {
  for (const auto& column : heed::test::golden("eval_scores.json")["ter_columns"]) {
    CHECK(heed::eval::ter_signature(options_of(column)) == column["signature"].get<std::string>());
  }
}

TEST_CASE("known rates", "[eval][ter][unit]") {
  CHECK(corpus_ter({"the cat sat"}, {"the cat sat"}) == 0.0);
  CHECK(std::abs(corpus_ter({"sat the cat"}, {"the cat sat"}) - 100.0 / 3) < 1e-9);  // one shift
  CHECK(corpus_ter({"a b c d e f"}, {"x y"}) == 300.0);
  CHECK(corpus_ter({"The CAT"}, {"the cat"}) == 0.0);
  CHECK(corpus_ter({"The CAT"}, {"the cat"}, {.case_sensitive = true}) == 100.0);
  CHECK(corpus_ter({"word"}, {""}) == 100.0);
  CHECK(corpus_ter({""}, {""}) == 0.0);
  CHECK(corpus_ter({}, {}) == 0.0);
}

// sacrebleu tokenizes references twice: here the second time parts the comma from the 4.
TEST_CASE("normalized references are those of sacreBLEU", "[eval][ter][golden]") {
  CHECK(corpus_ter({"x.,4"}, {"x.,4"}, {.normalized = true}) == 50.0);
}

TEST_CASE("TER of sides of unequal length is a mistake of the caller", "[eval][ter][unit]") {
  CHECK_THROWS_AS(corpus_ter({"a"}, {}), std::logic_error);
}
