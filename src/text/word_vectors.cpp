#include "text/word_vectors.h"

#include <charconv>
#include <string_view>
#include <unordered_map>

#include <spdlog/fmt/fmt.h>

#include "base/error.h"
#include "text/lines.h"
#include "text/split.h"

namespace heed::text {
namespace {

/// The pieces that are words, by their text.
std::unordered_map<std::string, int64_t> words_of(const Tokenizer& tokenizer) {
  bool marked = false;
  for (int64_t id = kSpecials; id < tokenizer.size() && !marked; ++id) {
    marked = tokenizer.piece(id).starts_with(kVisibleSpace);
  }
  std::unordered_map<std::string, int64_t> words;
  for (int64_t id = kSpecials; id < tokenizer.size(); ++id) {
    auto piece = tokenizer.piece(id);
    if (marked && !piece.starts_with(kVisibleSpace)) continue;
    if (marked) piece.erase(0, kVisibleSpace.size());
    if (!piece.empty()) words.emplace(piece, id);
  }
  return words;
}

bool parse(std::string_view word, float& value) {
  const auto* end = word.data() + word.size();
  const auto [read, error] = std::from_chars(word.data(), end, value);
  return error == std::errc() && read == end;
}

/// Numbers taken off the end of a line, at most `most` of them, in the order of the line.
std::vector<float> numbers_at_end(std::string_view& line, int64_t most) {
  std::vector<float> numbers;
  while (!line.empty() && line.back() == ' ') line.remove_suffix(1);
  while (std::ssize(numbers) < most) {
    const auto space = line.rfind(' ');
    float value = 0.0F;
    if (space == line.npos || !parse(line.substr(space + 1), value)) break;
    numbers.push_back(value);
    line.remove_suffix(line.size() - space);
  }
  return {numbers.rbegin(), numbers.rend()};
}

/// word2vec's first line: the number of words, and of numbers.
bool two_counts(std::string_view line) {
  const auto space = line.find(' ');
  if (space == line.npos) return false;
  float value = 0.0F;
  return parse(line.substr(0, space), value) && parse(line.substr(space + 1), value);
}

}  // namespace

WordVectors read_word_vectors(const std::string& file, const Tokenizer& tokenizer, int64_t width) {
  auto wanted = words_of(tokenizer);
  WordVectors out;
  LineReader lines(file);
  while (const auto line = lines.next()) {
    if (lines.line() == 1 && width > 1 && two_counts(*line)) continue;
    std::string_view word = *line;
    const auto numbers = numbers_at_end(word, width);
    if (std::ssize(numbers) < width) {
      throw DataError(fmt::format(
          "{}:{}: a word and {} numbers must stand there, as model.d_model says, got {} numbers",
          file, lines.line(), width, numbers.size()));
    }
    const auto found = wanted.find(std::string(word));
    if (found == wanted.end()) continue;
    out.ids.push_back(found->second);
    out.values.insert(out.values.end(), numbers.begin(), numbers.end());
    wanted.erase(found);
  }
  return out;
}

}  // namespace heed::text
