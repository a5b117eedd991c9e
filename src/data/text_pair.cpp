#include "data/text_pair.h"

#include <algorithm>

#include "text/lines.h"

namespace heed::data {
std::string prefixed(const std::string& prefix, const std::string& line) {
  return prefix.empty() ? line : prefix + " " + line;
}

std::string pair_line(const std::string& first, const std::string& second) {
  auto line = first;
  std::ranges::replace(line, '\t', ' ');
  return line + '\t' + second;
}

std::pair<std::string, std::string> texts_of(const std::string& line) {
  const auto tab = line.find('\t');
  if (tab == std::string::npos) return {line, ""};
  return {line.substr(0, tab), line.substr(tab + 1)};
}

bool half_blank(const std::string& line) {
  const auto [first, second] = texts_of(line);
  return text::blank(first) || text::blank(second);
}

std::vector<int64_t> encode_pair(const text::Tokenizer& tokenizer, const std::string& line,
                                 Random* sampling) {
  const auto [first, second] = texts_of(line);
  auto ids = encode_line(tokenizer, first, sampling);
  ids.push_back(text::kEnd);
  for (const auto id : encode_line(tokenizer, second, sampling)) ids.push_back(id);
  return ids;
}

std::vector<int64_t> encode_line(const text::Tokenizer& tokenizer, const std::string& line,
                                 Random* sampling) {
  return sampling == nullptr ? tokenizer.encode(line) : tokenizer.sample(line, *sampling);
}

}  // namespace heed::data
