#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "eval/metric.h"

namespace heed::eval {

struct BleuOptions {
  std::string tokenize = "13a";  // one of bleu_tokenizers()
  bool lowercase = false;
  bool effective_order = false;  // over the orders that have n-grams: for single sentences
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

/// BLEU (Papineni et al., 2002) with exponential smoothing (Chen & Cherry, 2014, method 3). A line
/// counts the words of the hypothesis and of the reference nearest in length, then the n-grams that
/// are correct, then all, of orders 1 to 4. No match at all, as with empty hypotheses, gives 0.
class BleuMetric final : public Metric {
 public:
  explicit BleuMetric(BleuOptions options = {});

  std::string name() const override { return "BLEU"; }
  std::string options() const override;
  std::size_t width() const override { return 10; }
  std::vector<double> count(const std::string& hypothesis,
                            std::span<const std::string> references) const override;
  double score(std::span<const double> counts) const override;
  double score(std::span<const float> counts) const override;
  bool single_precision() const override { return false; }

  Bleu details(std::span<const double> counts) const;  // the score and what it is made of

 private:
  BleuOptions options_;
};

/// Of a corpus with one reference a line. Throws std::logic_error where the numbers of lines
/// differ.
Bleu corpus_bleu(const std::vector<std::string>& hypotheses,
                 const std::vector<std::string>& references, const BleuOptions& options = {});

/// Of one sentence, with effective_order.
Bleu sentence_bleu(const std::string& hypothesis, const std::string& reference,
                   const BleuOptions& options = {});

/// nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0
std::string bleu_signature(const BleuOptions& options = {});

}  // namespace heed::eval
