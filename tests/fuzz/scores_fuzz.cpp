#include "base/utf8.h"
#include "eval/bleu.h"
#include "eval/bleu_tokenize.h"
#include "eval/chrf.h"
#include "fuzz/input.h"

/// Any two texts have a score between 0 and 100, the same text against itself the highest.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace heed;
  int64_t replaced = 0;
  const auto text = valid_utf8(fuzz::text_of(data, size), &replaced);
  const auto middle = text.find('\n');
  const auto hypothesis = text.substr(0, middle);
  const auto reference = middle == std::string::npos ? hypothesis : text.substr(middle + 1);

  const auto within = [](double score) { return score >= 0.0 && score <= 100.0 + 1e-9; };
  for (const auto& tokenize : eval::bleu_tokenizers()) {
    const eval::BleuOptions options{.tokenize = tokenize, .lowercase = size % 2 == 1};
    fuzz::require(within(eval::corpus_bleu({hypothesis}, {reference}, options).score));
    fuzz::require(within(eval::sentence_bleu(hypothesis, reference, options).score));
  }
  fuzz::require(within(eval::corpus_chrf({hypothesis}, {reference})));
  return 0;
}
