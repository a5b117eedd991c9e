#include "eval/respace.h"

#include <utility>

namespace heed::eval {
namespace {

bool is_digit(char32_t c) { return c >= U'0' && c <= U'9'; }
bool is_no_digit(char32_t c) { return !is_digit(c); }
bool is_point(char32_t c) { return c == U'.' || c == U','; }
bool is_dash(char32_t c) { return c == U'-'; }

/// [{-~[-` -&(-+:-@/]
bool stands_alone(char32_t c) {
  return (c >= U'{' && c <= U'~') || (c >= U'[' && c <= U'`') || (c >= U' ' && c <= U'&') ||
         (c >= U'(' && c <= U'+') || (c >= U':' && c <= U'@') || c == U'/';
}

}  // namespace

void replace_all(std::u32string& text, const std::u32string& from, const std::u32string& to) {
  for (auto at = text.find(from); at != std::u32string::npos; at = text.find(from, at)) {
    text.replace(at, from.size(), to);
    at += to.size();
  }
}

void replace_entities(std::u32string& text) {
  static constexpr std::pair<const char32_t*, const char32_t*> kEntities[] = {
      {U"&quot;", U"\""}, {U"&amp;", U"&"}, {U"&lt;", U"<"}, {U"&gt;", U">"}};
  if (text.find(U'&') == std::u32string::npos) return;
  for (const auto& [entity, character] : kEntities) replace_all(text, entity, character);
}

std::u32string space_marks(const std::u32string& text) { return space_around(text, stands_alone); }

std::u32string space_points(const std::u32string& text) {
  auto out = space_in_pair(text, is_no_digit, is_point, Mark::kSecond);
  out = space_in_pair(out, is_point, is_no_digit, Mark::kFirst);
  return space_in_pair(out, is_digit, is_dash, Mark::kSecond);
}

}  // namespace heed::eval
