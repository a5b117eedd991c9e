#include "eval/chrf.h"

#include <map>
#include <stdexcept>
#include <string_view>

#include <spdlog/fmt/fmt.h>

#include "base/utf8.h"
#include "eval/ngrams.h"
#include "eval/unicode.h"

namespace heed::eval {
namespace {

constexpr int kCharOrder = 6;
constexpr double kBeta = 2.0;  // recall weighs beta times as much as precision

bool is_ascii_punctuation(char32_t c) {
  return c < 0x80 &&
         std::string_view("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~").find(static_cast<char>(c)) !=
             std::string_view::npos;
}

/// Words, each with one punctuation mark split off: the last one, or else the first.
std::vector<std::u32string_view> words(std::u32string_view text) {
  std::vector<std::u32string_view> out;
  for (const auto word : split(text)) {
    const auto last = word.size() - 1;
    if (last > 0 && is_ascii_punctuation(word.back())) {
      out.insert(out.end(), {word.substr(0, last), word.substr(last)});
    } else if (last > 0 && is_ascii_punctuation(word.front())) {
      out.insert(out.end(), {word.substr(0, 1), word.substr(1)});
    } else {
      out.push_back(word);
    }
  }
  return out;
}

using Overlaps = std::vector<NgramOverlap>;  // one an order, characters first

void add(const NgramOverlap& overlap, NgramOverlap& sum) {
  if (overlap.reference > 0) sum.hypothesis += overlap.hypothesis;  // else there is nothing to hit
  sum.reference += overlap.reference;
  sum.shared += overlap.shared;
}

void count_characters(std::u32string_view hypothesis, std::u32string_view reference,
                      Overlaps& sums) {
  const auto a = without_spaces(hypothesis);
  const auto b = without_spaces(reference);
  for (int n = 1; n <= kCharOrder; ++n) add(ngram_overlap(a, b, n), sums[n - 1]);
}

void count_words(std::u32string_view hypothesis, std::u32string_view reference, int order,
                 Overlaps& sums) {
  std::map<std::u32string_view, char32_t> numbers;
  const auto numbered = [&](std::u32string_view text) {
    std::u32string out;
    for (const auto word : words(text)) {
      out += numbers.try_emplace(word, static_cast<char32_t>(numbers.size())).first->second;
    }
    return out;
  };
  const auto a = numbered(hypothesis);
  const auto b = numbered(reference);
  for (int n = 1; n <= order; ++n) add(ngram_overlap(a, b, n), sums[kCharOrder + n - 1]);
}

/// Precision and recall are averaged over the orders that both sides have, then joined.
double f_score(const Overlaps& sums) {
  double precision = 0.0;
  double recall = 0.0;
  int orders = 0;
  for (const auto& sum : sums) {
    if (sum.hypothesis == 0 || sum.reference == 0) continue;
    precision += static_cast<double>(sum.shared) / static_cast<double>(sum.hypothesis);
    recall += static_cast<double>(sum.shared) / static_cast<double>(sum.reference);
    ++orders;
  }
  if (precision + recall == 0.0) return 0.0;
  precision /= orders;
  recall /= orders;
  constexpr double kFactor = kBeta * kBeta;
  return 100.0 * ((1 + kFactor) * precision * recall / (kFactor * precision + recall));
}

}  // namespace

double corpus_chrf(const std::vector<std::string>& hypotheses,
                   const std::vector<std::string>& references, const ChrfOptions& options) {
  if (hypotheses.size() != references.size()) {
    throw std::logic_error(fmt::format("corpus_chrf: {} hypotheses, {} references",
                                       hypotheses.size(), references.size()));
  }
  const auto text = [&](const std::string& line) {
    return code_points(options.lowercase ? lower(line) : line);
  };
  Overlaps sums(kCharOrder + options.word_order);
  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
    const auto hypothesis = text(hypotheses[i]);
    const auto reference = text(references[i]);
    count_characters(hypothesis, reference, sums);
    count_words(hypothesis, reference, options.word_order, sums);
  }
  return f_score(sums);
}

std::string chrf_signature(const ChrfOptions& options) {
  return fmt::format("nrefs:1|case:{}|eff:yes|nc:{}|nw:{}|space:no|version:2.6.0",
                     options.lowercase ? "lc" : "mixed", kCharOrder, options.word_order);
}

}  // namespace heed::eval
