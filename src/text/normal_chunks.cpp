#include "text/normal_chunks.h"

#include <unicode/normalizer2.h>

#include <algorithm>
#include <cstddef>

#include "base/utf8.h"
#include "text/characters.h"
#include "text/letters.h"

namespace heed::text {
namespace {

char32_t letter_at(std::string_view line, std::size_t at) {
  const auto rest = line.substr(at);
  return code_points(rest.substr(0, letter_bytes(rest)))[0];
}

std::size_t letter_before(std::string_view line, std::size_t at) {
  do {
    --at;
  } while (at > 0 && (static_cast<unsigned char>(line[at]) & 0xC0) == 0x80);
  return at;
}

/// Whether normalization lets it begin, and it begins with no space.
bool begins(char32_t c) {
  if (c < 0x80) return true;
  UErrorCode status = U_ZERO_ERROR;
  const auto* normalizer = icu::Normalizer2::getNFKCInstance(status);
  if (U_FAILURE(status)) return false;
  const auto character = static_cast<UChar32>(c);
  return normalizer->hasBoundaryBefore(character) &&
         normalizer->normalize(icu::UnicodeString(character), status)[0] != u' ';
}

bool can_cut(std::string_view line, std::size_t at) {
  const auto [before, after] =
      std::pair(letter_at(line, letter_before(line, at)), letter_at(line, at));
  return !is_invisible(before) && !is_invisible(after) && begins(after);
}

}  // namespace

std::vector<std::string_view> normal_chunks(std::string_view line, int64_t bytes) {
  std::vector<std::string_view> chunks;
  const auto least = static_cast<std::size_t>(std::max<int64_t>(bytes, 1));
  while (line.size() > least) {
    auto at = least;
    while (at < line.size() && (static_cast<unsigned char>(line[at]) & 0xC0) == 0x80) ++at;
    while (at < line.size() && !can_cut(line, at)) at += letter_bytes(line.substr(at));
    chunks.push_back(line.substr(0, at));
    line.remove_prefix(at);
  }
  if (!line.empty()) chunks.push_back(line);
  return chunks;
}

}  // namespace heed::text
