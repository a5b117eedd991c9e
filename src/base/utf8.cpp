#include "base/utf8.h"

#include <cstddef>

namespace heed {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

struct Decoded {
  char32_t code_point = kReplacement;
  std::size_t bytes = 1;
  bool well_formed = false;
};

struct Lead {
  std::size_t following = 0;     // bytes after it; 0: leads nothing
  unsigned char low = 0x80;      // bounds of the first byte that follows: they rule out
  unsigned char high = 0xBF;     // overlong forms, surrogates and what lies past U+10FFFF
  unsigned char payload = 0x1F;  // mask of its own bits
};

/// The Unicode Standard, table 3-7.
Lead lead_of(unsigned char byte) {
  if (byte >= 0xC2 && byte <= 0xDF) return {.following = 1};
  if (byte == 0xE0) return {.following = 2, .low = 0xA0, .payload = 0x0F};
  if (byte == 0xED) return {.following = 2, .high = 0x9F, .payload = 0x0F};
  if (byte >= 0xE1 && byte <= 0xEF) return {.following = 2, .payload = 0x0F};
  if (byte == 0xF0) return {.following = 3, .low = 0x90, .payload = 0x07};
  if (byte >= 0xF1 && byte <= 0xF3) return {.following = 3, .payload = 0x07};
  if (byte == 0xF4) return {.following = 3, .high = 0x8F, .payload = 0x07};
  return {};
}

/// What begins `bytes`, which must not be empty: a code point, or a maximal ill-formed part.
Decoded decode(std::string_view bytes) {
  const auto first = static_cast<unsigned char>(bytes[0]);
  if (first < 0x80) return {.code_point = first, .well_formed = true};
  const auto lead = lead_of(first);
  if (lead.following == 0) return {};

  char32_t code_point = first & lead.payload;
  for (std::size_t i = 1; i <= lead.following; ++i) {
    const auto low = i == 1 ? lead.low : 0x80;
    const auto high = i == 1 ? lead.high : 0xBF;
    const auto byte = i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0;
    if (byte < low || byte > high) return {.bytes = i};
    code_point = code_point << 6 | (byte & 0x3Fu);
  }
  return {.code_point = code_point, .bytes = lead.following + 1, .well_formed = true};
}

}  // namespace

std::string valid_utf8(std::string_view bytes, int64_t* replaced) {
  std::string text;
  text.reserve(bytes.size());
  while (!bytes.empty()) {
    const auto decoded = decode(bytes);
    if (decoded.well_formed) {
      text += bytes.substr(0, decoded.bytes);
    } else {
      append_utf8(kReplacement, text);
      ++*replaced;
    }
    bytes.remove_prefix(decoded.bytes);
  }
  return text;
}

std::u32string code_points(std::string_view utf8) {
  std::u32string text;
  text.reserve(utf8.size());
  while (!utf8.empty()) {
    const auto decoded = decode(utf8);
    text += decoded.code_point;
    utf8.remove_prefix(decoded.bytes);
  }
  return text;
}

std::string to_utf8(std::u32string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const auto code_point : text) append_utf8(code_point, out);
  return out;
}

void append_utf8(char32_t code_point, std::string& out) {
  const bool surrogate = code_point >= 0xD800 && code_point <= 0xDFFF;
  if (surrogate || code_point > 0x10FFFF) code_point = kReplacement;

  const auto continuation = [&](int shift) {
    return static_cast<char>(0x80 | (code_point >> shift & 0x3F));
  };
  if (code_point < 0x80) {
    out += static_cast<char>(code_point);
  } else if (code_point < 0x800) {
    out += static_cast<char>(0xC0 | code_point >> 6);
    out += continuation(0);
  } else if (code_point < 0x10000) {
    out += static_cast<char>(0xE0 | code_point >> 12);
    out += continuation(6);
    out += continuation(0);
  } else {
    out += static_cast<char>(0xF0 | code_point >> 18);
    out += continuation(12);
    out += continuation(6);
    out += continuation(0);
  }
}

}  // namespace heed
