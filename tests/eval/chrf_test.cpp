#include "eval/chrf.h"

#include <nlohmann/json.hpp>

#include "support/catch.h"
#include "support/golden.h"

using heed::eval::ChrfOptions;
using heed::eval::corpus_chrf;

namespace {

ChrfOptions options_of(const nlohmann::json& column) {
  return {.word_order = column["word_order"], .lowercase = column["lowercase"]};
}

}  // namespace

TEST_CASE("chrF2 and chrF2++ equal sacreBLEU's in every script", "[eval][chrf][golden]") {
  const auto reference = heed::test::golden("eval_scores.json");
  const auto columns = reference["chrf_columns"];
  for (const auto& example : reference["cases"]) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      INFO("hypothesis " << example["hypotheses"].dump() << " reference "
                         << example["references"].dump() << " options " << columns[i].dump());
      CHECK(std::abs(
                corpus_chrf(example["hypotheses"], example["references"], options_of(columns[i])) -
                example["chrf"][i].get<double>()) < 1e-9);
    }
  }
}

TEST_CASE("the signature of chrF is sacreBLEU's and claims no tokenizer", "[eval][chrf][golden]") {
  for (const auto& column : heed::test::golden("eval_scores.json")["chrf_columns"]) {
    CHECK(heed::eval::chrf_signature(options_of(column)) == column["signature"].get<std::string>());
  }
  CHECK(heed::eval::chrf_signature() ==
        "nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.6.0");
}

TEST_CASE("known numbers of chrF", "[eval][chrf][unit]") {
  const auto chrf = [](const std::string& hypothesis, const std::string& reference, int words = 0) {
    return corpus_chrf({hypothesis}, {reference}, {.word_order = words});
  };
  CHECK(std::abs(chrf("Hello, world! It is late.", "Hello , world ! It is late .") - 100.0) < 1e-9);
  CHECK(std::abs(chrf("the cat sat on a mat", "the cat sat on the mat") - 65.98) < 0.005);
  CHECK(std::abs(chrf("the cat sat on a mat", "the cat sat on the mat", 2) - 67.44) < 0.005);
  CHECK(std::abs(chrf("今天天气很好", "今天天气不错") - 35.00) < 0.005);
}

TEST_CASE("an empty hypothesis lowers chrF and two empty sides give 0", "[eval][chrf][unit]") {
  const std::vector<std::string> references = {"a dog barked .", "the cat sat on the mat today ."};
  CHECK(std::abs(corpus_chrf({"", references[1]}, references) - 75.36) < 0.005);
  CHECK(corpus_chrf({"", ""}, references) == 0.0);
  CHECK(corpus_chrf({"", ""}, {"", ""}) == 0.0);
  CHECK(corpus_chrf({}, {}) == 0.0);
}

TEST_CASE("chrF of sides of unequal length is a mistake of the caller", "[eval][chrf][unit]") {
  CHECK_THROWS_AS(corpus_chrf({"a"}, {}), std::logic_error);
}
