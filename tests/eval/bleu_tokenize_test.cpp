#include "eval/bleu_tokenize.h"

#include "base/utf8.h"
#include "support/catch.h"

namespace {

std::string tokenized(const std::string& name, const std::string& line) {
  std::string out;
  for (const auto& word : heed::eval::bleu_tokenize(name, line)) {
    out += (out.empty() ? "" : " ") + heed::to_utf8(word);
  }
  return out;
}

}  // namespace

// What sacrebleu.tokenizers makes of these lines; scores of many more stand in eval_scores.json.
TEST_CASE("lines are cut into words as sacreBLEU cuts them", "[eval][bleu_tokenize][golden]") {
  CHECK(tokenized("13a", "It costs $5.00, \"or\" 1,000.") == "It costs $ 5.00 , \" or \" 1,000 .");
  CHECK(tokenized("13a", "2019-2020 a-b don't") == "2019 - 2020 a-b don't");
  CHECK(tokenized("13a", "&quot;x&quot; &amp;lt; <skipped>y") == "\" x \" < y");
  CHECK(tokenized("intl", "„So“, 3,5 €!") == "„ So “ , 3,5 € !");
  CHECK(tokenized("zh", "我有3个apple.") == "我 有 3 个 apple .");
  CHECK(tokenized("char", "ab c") == "a b c");
  CHECK(tokenized("none", " a,b  c ") == "a,b c");
}

TEST_CASE("every tokenizer of BLEU is listed, takes an empty line, and no other is known",
          "[eval][bleu_tokenize][unit]") {
  const std::vector<std::string> names = {"13a", "char", "intl", "none", "zh"};
  CHECK(heed::eval::bleu_tokenizers() == names);
  for (const auto& name : names) CHECK(heed::eval::bleu_tokenize(name, "").empty());
  CHECK_THROWS_AS(heed::eval::bleu_tokenize("13b", "a"), std::logic_error);
}
