#include "eval/bleu.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include <spdlog/fmt/fmt.h>

#include "eval/bleu_tokenize.h"
#include "eval/ngrams.h"
#include "eval/unicode.h"

namespace heed::eval {
namespace {

constexpr double kLogOfZero = -9999999999.0;  // sacreBLEU's, so that exp gives 0

/// Words as numbers: an n-gram is then a view into a row of them.
class WordNumbers {
 public:
  std::u32string of(const std::string& line, const BleuOptions& options) {
    std::u32string numbers;
    const auto text = options.lowercase ? lower(line) : line;
    for (const auto& word : bleu_tokenize(options.tokenize, text)) {
      numbers += numbers_.try_emplace(word, static_cast<char32_t>(numbers_.size())).first->second;
    }
    return numbers;
  }

 private:
  std::map<std::u32string, char32_t> numbers_;
};

void count(const std::u32string& hypothesis, const std::u32string& reference, Bleu& bleu) {
  bleu.hypothesis_words += static_cast<int64_t>(hypothesis.size());
  bleu.reference_words += static_cast<int64_t>(reference.size());
  for (std::size_t n = 1; n <= bleu.total.size(); ++n) {
    const auto overlap = ngram_overlap(hypothesis, reference, n);
    bleu.correct[n - 1] += overlap.shared;
    bleu.total[n - 1] += overlap.hypothesis;
  }
}

double brevity_penalty(int64_t hypothesis_words, int64_t reference_words) {
  if (hypothesis_words >= reference_words) return 1.0;
  if (hypothesis_words == 0) return 0.0;
  return std::exp(1.0 - static_cast<double>(reference_words) / hypothesis_words);
}

/// Fills in the precisions. -> how many orders have n-grams at all
int smoothed_precisions(Bleu& bleu) {
  double divisor = 1.0;
  int orders = 0;
  for (std::size_t n = 0; n < bleu.total.size() && bleu.total[n] > 0; ++n) {
    ++orders;
    const auto total = static_cast<double>(bleu.total[n]);
    if (bleu.correct[n] == 0) divisor *= 2.0;
    bleu.precisions[n] =
        bleu.correct[n] == 0 ? 100.0 / (divisor * total) : 100.0 * bleu.correct[n] / total;
  }
  return orders;
}

/// The score of what was counted; `effective`: over the orders that have n-grams only.
void finish(Bleu& bleu, bool effective) {
  bleu.brevity_penalty = brevity_penalty(bleu.hypothesis_words, bleu.reference_words);
  if (std::ranges::all_of(bleu.correct, [](int64_t n) { return n == 0; })) return;

  const auto orders = smoothed_precisions(bleu);
  const auto used = effective ? orders : static_cast<int>(bleu.precisions.size());
  double logs = 0.0;
  for (int n = 0; n < used; ++n) {
    logs += bleu.precisions[n] == 0.0 ? kLogOfZero : std::log(bleu.precisions[n]);
  }
  bleu.score = bleu.brevity_penalty * std::exp(logs / used);
}

}  // namespace

Bleu corpus_bleu(const std::vector<std::string>& hypotheses,
                 const std::vector<std::string>& references, const BleuOptions& options) {
  if (hypotheses.size() != references.size()) {
    throw std::logic_error(fmt::format("corpus_bleu: {} hypotheses, {} references",
                                       hypotheses.size(), references.size()));
  }
  Bleu bleu;
  WordNumbers numbers;
  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
    count(numbers.of(hypotheses[i], options), numbers.of(references[i], options), bleu);
  }
  finish(bleu, /*effective=*/false);
  return bleu;
}

Bleu sentence_bleu(const std::string& hypothesis, const std::string& reference,
                   const BleuOptions& options) {
  Bleu bleu;
  WordNumbers numbers;
  count(numbers.of(hypothesis, options), numbers.of(reference, options), bleu);
  finish(bleu, /*effective=*/true);
  return bleu;
}

std::string bleu_signature(const BleuOptions& options) {
  return fmt::format("nrefs:1|case:{}|eff:no|tok:{}|smooth:exp|version:2.6.0",
                     options.lowercase ? "lc" : "mixed", options.tokenize);
}

}  // namespace heed::eval
