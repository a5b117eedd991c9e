#include "eval/bleu.h"

#include <nlohmann/json.hpp>

#include "support/catch.h"
#include "support/golden.h"

using heed::eval::BleuOptions;
using heed::eval::corpus_bleu;
using heed::eval::sentence_bleu;

namespace {

using Lines = std::vector<std::string>;

double bleu(const std::string& hypothesis, const std::string& reference,
            const BleuOptions& options = {}) {
  return corpus_bleu({hypothesis}, {reference}, options).score;
}

}  // namespace

TEST_CASE("corpus and sentence BLEU equal sacreBLEU's in every script and tokenizer",
          "[eval][bleu][golden]") {
  const auto reference = heed::test::golden("eval_scores.json");
  const auto columns = reference["bleu_columns"];
  for (const auto& example : reference["cases"]) {
    const auto hypotheses = example["hypotheses"].get<Lines>();
    const auto references = example["references"].get<Lines>();
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const BleuOptions options{.tokenize = columns[i]["tokenize"],
                                .lowercase = columns[i]["lowercase"]};
      INFO("hypothesis " << example["hypotheses"].dump() << " reference "
                         << example["references"].dump() << " options " << columns[i].dump());
      CHECK(std::abs(corpus_bleu(hypotheses, references, options).score -
                     example["bleu"][i].get<double>()) < 1e-9);
      if (hypotheses.size() > 1) continue;
      CHECK(std::abs(sentence_bleu(hypotheses[0], references[0], options).score -
                     example["sentence_bleu"][i].get<double>()) < 1e-9);
    }
  }
}

TEST_CASE("the signature of BLEU is sacreBLEU's", "[eval][bleu][golden]") {
  for (const auto& column : heed::test::golden("eval_scores.json")["bleu_columns"]) {
    const BleuOptions options{.tokenize = column["tokenize"], .lowercase = column["lowercase"]};
    CHECK(heed::eval::bleu_signature(options) == column["signature"].get<std::string>());
  }
}

TEST_CASE("an empty hypothesis costs brevity and shifts no line", "[eval][bleu][unit]") {
  const auto score = corpus_bleu({"", "the cat sat on the mat today ."},
                                 {"a dog barked .", "the cat sat on the mat today ."});
  CHECK(std::abs(score.score - 60.65) < 0.005);
  CHECK(std::abs(score.brevity_penalty - 0.607) < 0.0005);
  CHECK(score.hypothesis_words == 8);
  CHECK(score.reference_words == 12);
}

TEST_CASE("nothing to count gives 0 and no NaN", "[eval][bleu][unit]") {
  CHECK(corpus_bleu({"", ""}, {"a b", "c"}).score == 0.0);
  CHECK(corpus_bleu({"", ""}, {"", ""}).score == 0.0);
  CHECK(corpus_bleu({}, {}).score == 0.0);
  CHECK(sentence_bleu("", "").score == 0.0);
}

TEST_CASE("words are counted as the tokenizer says", "[eval][bleu][unit]") {
  const std::string hypothesis = "Hello, world! It is late.";
  const std::string reference = "Hello , world ! It is late .";
  CHECK(std::abs(bleu(hypothesis, reference) - 100.00) < 0.005);
  CHECK(std::abs(bleu(hypothesis, reference, {.tokenize = "none"}) - 11.73) < 0.005);
  CHECK(std::abs(bleu("the cat sat on a mat", "the cat sat on the mat") - 53.73) < 0.005);
  CHECK(std::abs(bleu("今天天气很好", "今天天气不错", {.tokenize = "zh"}) - 50.81) < 0.005);
  CHECK(bleu("今天天气很好", "今天天气不错") == 0.0);
}

TEST_CASE("one right word is 0 as a corpus and 100 as a sentence", "[eval][bleu][unit]") {
  CHECK(bleu("yes", "yes") == 0.0);
  CHECK(std::abs(sentence_bleu("yes", "yes").score - 100.0) < 1e-9);
}

TEST_CASE("case counts unless it is told not to", "[eval][bleu][unit]") {
  const std::string hypothesis = "THE cat sat on the mat today .";
  const std::string reference = "the cat sat on the mat today .";
  CHECK(std::abs(bleu(hypothesis, reference) - 84.09) < 0.005);
  CHECK(std::abs(bleu(hypothesis, reference, {.lowercase = true}) - 100.0) < 0.005);
}

TEST_CASE("sides of unequal length are a mistake of the caller", "[eval][bleu][unit]") {
  CHECK_THROWS_AS(corpus_bleu({"a"}, {"a", "b"}), std::logic_error);
}
