#include "inspect/why_hidden.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>

#include "base/counted.h"
#include "inspect/score_formula.h"

namespace heed::inspect {
namespace {

bool at_global_position(const config::Attention& attention, int64_t place) {
  return std::ranges::find(attention.global_positions, place) != attention.global_positions.end();
}

std::string word(const config::Attention& attention, const std::string& type,
                 const std::string& kind, int64_t row, int64_t key) {
  if (kind == "decoder" && key > row) return "later";
  if (is_pattern(type)) {
    const bool near = std::abs(row - key) <= attention.window;
    const bool global = at_global_position(attention, row) || at_global_position(attention, key);
    return near || global ? "forgotten" : "outside";
  }
  return type == "top_k" ? "not best" : "forgotten";
}

/// What a key had to be for the pattern to let it be seen.
std::string meaning_of_outside(const config::Attention& attention, const std::string& type,
                               const std::string& kind) {
  auto text = fmt::format("outside: more than {} away", counted(attention.window, "place"));
  if (type == "window") return text;
  text += ", neither of the two a global token";
  if (kind == "decoder" && !attention.global_tokens.empty()) {
    text += " (global_tokens are such in the encoder only)";
  }
  if (type == "bigbird") text += ", and no random key of the block";
  return text;
}

std::string meaning_of(const std::string& word, const config::Attention& attention,
                       const std::string& type, const std::string& kind) {
  if (word == "later") return "later: it was not there yet";
  if (word == "outside") return meaning_of_outside(attention, type, kind);
  if (word == "not best") return fmt::format("not best: {} scored higher", attention.top_k);
  return "forgotten: the cache no longer kept it";
}

}  // namespace

WhyHidden why_hidden(const config::Model& model, const std::string& type, const std::string& kind,
                     int64_t row, const torch::Tensor& scores) {
  WhyHidden why;
  std::vector<std::string> meanings;
  for (int64_t key = 0; key < scores.size(0); ++key) {
    const bool hidden = std::isinf(scores[key].item<double>());
    why.words.push_back(hidden ? word(model.attention, type, kind, row, key) : "");
    if (!hidden) continue;
    auto meaning = meaning_of(why.words.back(), model.attention, type, kind);
    if (std::ranges::find(meanings, meaning) == meanings.end()) meanings.push_back(meaning);
  }
  if (!meanings.empty()) why.meaning = fmt::format("Hidden is {}", fmt::join(meanings, "; "));
  return why;
}

}  // namespace heed::inspect
