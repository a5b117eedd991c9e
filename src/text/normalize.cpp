#include "text/normalize.h"

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <stdexcept>

#include "base/utf8.h"
#include "text/characters.h"

namespace heed::text {
namespace {

const icu::Normalizer2& icu_normalizer(bool compatible) {
  UErrorCode status = U_ZERO_ERROR;
  const auto* normalizer = compatible ? icu::Normalizer2::getNFKCInstance(status)
                                      : icu::Normalizer2::getNFCInstance(status);
  if (U_FAILURE(status)) throw std::runtime_error("ICU has no data of Unicode's normal forms");
  return *normalizer;
}

std::u32string normal(const icu::Normalizer2& normalizer, std::u32string_view text) {
  icu::UnicodeString utf16;
  for (const char32_t c : text) utf16.append(static_cast<UChar32>(c));
  UErrorCode status = U_ZERO_ERROR;
  const auto result = normalizer.normalize(utf16, status);
  std::u32string out;
  for (int32_t at = 0; at < result.length(); at = result.moveIndex32(at, 1)) {
    out += static_cast<char32_t>(result.char32At(at));
  }
  return out;
}

}  // namespace

Normalizer::Normalizer(const std::string& form, bool lowercase)
    : form_(form == "nfc"    ? Form::kNfc
            : form == "nfkc" ? Form::kNfkc
                             : Form::kNone),
      lowercase_(lowercase) {}

/// Where a config leaves the form open, SentencePiece brings its own, and no other type has one.
Normalizer Normalizer::of(const config::Tokenizer& config) {
  const bool open = config.normalize == "auto";
  Normalizer normalizer(open ? "none" : config.normalize, config.lowercase);
  normalizer.active_ =
      config.lowercase || normalizer.form_ != Form::kNone || (config.sentencepiece() && !open);
  return normalizer;
}

char32_t Normalizer::finish(char32_t c) const {
  if (is_space(c)) return U' ';
  return lowercase_ ? static_cast<char32_t>(u_tolower(static_cast<UChar32>(c))) : c;
}

void Normalizer::normalize(const std::u32string& line, std::u32string& out,
                           std::vector<int64_t>* begin, std::vector<int64_t>* end) const {
  const auto put = [&](char32_t c, int64_t from, int64_t to) {
    out += finish(c);
    if (begin == nullptr) return;
    begin->push_back(from);
    end->push_back(to);
  };
  const auto len = std::ssize(line);
  const auto* normalizer = form_ == Form::kNone ? nullptr : &icu_normalizer(form_ == Form::kNfkc);
  for (int64_t at = 0; at < len;) {
    int64_t next = at + 1;  // where a part begins that normalizes by itself
    if (normalizer == nullptr) {
      put(line[at], at, next);
      at = next;
      continue;
    }
    while (next < len && line[next] >= 0x80 && !normalizer->hasBoundaryBefore(line[next])) ++next;
    if (next == at + 1 && line[at] < 0x80) {
      put(line[at], at, next);
    } else {
      const auto part = normal(*normalizer, std::u32string_view(line).substr(at, next - at));
      for (std::size_t i = 0; i < part.size(); ++i) put(part[i], i == 0 ? at : next, next);
    }
    at = next;
  }
}

std::string Normalizer::operator()(const std::string& line) const {
  const auto plain = [](unsigned char c) { return c >= 0x20 && c < 0x7F; };
  if (std::ranges::all_of(line, plain)) {  // what normal forms leave alone
    auto text = line;
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
    if (lowercase_) std::ranges::transform(text, text.begin(), lower);
    return text;
  }
  std::u32string out;
  normalize(code_points(line), out, nullptr, nullptr);
  return to_utf8(out);
}

Normalizer::Placed Normalizer::with_places(const std::string& line) const {
  Placed placed;
  std::u32string out;
  normalize(code_points(line), out, &placed.begin, &placed.end);
  placed.text = to_utf8(out);
  return placed;
}

}  // namespace heed::text
