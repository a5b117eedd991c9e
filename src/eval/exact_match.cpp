#include "eval/exact_match.h"

#include <stdexcept>

#include <spdlog/fmt/fmt.h>

#include "base/utf8.h"
#include "eval/unicode.h"

namespace heed::eval {
namespace {

bool same_words(const std::string& a, const std::string& b) {
  if (a == b) return true;
  const auto left = code_points(a);
  const auto right = code_points(b);
  return split(left) == split(right);
}

}  // namespace

double exact_match(const std::vector<std::string>& hypotheses,
                   const std::vector<std::string>& references) {
  if (hypotheses.size() != references.size()) {
    throw std::logic_error(fmt::format("exact_match: {} hypotheses, {} references",
                                       hypotheses.size(), references.size()));
  }
  int64_t equal = 0;
  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
    equal += same_words(hypotheses[i], references[i]) ? 1 : 0;
  }
  return hypotheses.empty() ? 0.0 : static_cast<double>(equal) / hypotheses.size();
}

}  // namespace heed::eval
