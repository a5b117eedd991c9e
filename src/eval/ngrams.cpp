#include "eval/ngrams.h"

#include <unordered_map>

namespace heed::eval {
namespace {

int64_t ngrams(std::u32string_view symbols, std::size_t n) {
  return symbols.size() < n ? 0 : static_cast<int64_t>(symbols.size() - n + 1);
}

}  // namespace

NgramOverlap ngram_overlap(std::u32string_view hypothesis, std::u32string_view reference,
                           std::size_t n) {
  NgramOverlap overlap{.hypothesis = ngrams(hypothesis, n), .reference = ngrams(reference, n)};

  std::unordered_map<std::u32string_view, int64_t> left;  // of the reference, not yet matched
  for (int64_t i = 0; i < overlap.reference; ++i) ++left[reference.substr(i, n)];
  for (int64_t i = 0; i < overlap.hypothesis; ++i) {
    const auto found = left.find(hypothesis.substr(i, n));
    if (found == left.end() || found->second == 0) continue;
    --found->second;
    ++overlap.shared;
  }
  return overlap;
}

}  // namespace heed::eval
