#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace heed::eval {

struct BleuOptions {
  std::string tokenize = "13a";  // one of bleu_tokenizers()
  bool lowercase = false;
};

struct Bleu {
  double score = 0.0;                  // 0 to 100
  std::array<double, 4> precisions{};  // percent, of 1-grams to 4-grams, smoothed
  std::array<int64_t, 4> correct{};    // n-grams also found in the reference
  std::array<int64_t, 4> total{};      // n-grams of the hypotheses
  double brevity_penalty = 0.0;
  int64_t hypothesis_words = 0;
  int64_t reference_words = 0;
};

/// BLEU (Papineni et al., 2002) of a corpus, equal to sacreBLEU 2.6.0: exponential smoothing
/// (Chen & Cherry, 2014, method 3), one reference a line. No match at all, as with empty
/// hypotheses, gives 0. Throws std::logic_error where the numbers of lines differ.
Bleu corpus_bleu(const std::vector<std::string>& hypotheses,
                 const std::vector<std::string>& references, const BleuOptions& options = {});

/// The same for one sentence, over the orders that the hypothesis is long enough for.
Bleu sentence_bleu(const std::string& hypothesis, const std::string& reference,
                   const BleuOptions& options = {});

/// What a reader needs to get corpus_bleu's number again, as sacreBLEU prints it:
/// nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0
std::string bleu_signature(const BleuOptions& options = {});

}  // namespace heed::eval
