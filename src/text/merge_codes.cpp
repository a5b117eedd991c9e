#include "text/merge_codes.h"

#include <algorithm>
#include <cstddef>

#include <spdlog/fmt/fmt.h>

#include "base/counted.h"
#include "base/error.h"
#include "base/utf8.h"
#include "text/letters.h"

namespace heed::text {
namespace {

constexpr std::string_view kEnd = "</w>";
constexpr std::string_view kVersion = "#version:";

std::vector<std::string_view> columns(std::string_view line) {
  std::vector<std::string_view> columns;
  while (!line.empty()) {
    const auto end = std::min(line.find(' '), line.size());
    columns.push_back(line.substr(0, end));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return columns;
}

bool is_count(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

std::string_view trimmed(std::string_view line) {
  const auto begin = line.find_first_not_of(" \r");
  return begin == line.npos ? "" : line.substr(begin, line.find_last_not_of(" \r") + 1 - begin);
}

}  // namespace

MergeCodes::MergeCodes(std::string bytes, const std::string& where) : bytes_(std::move(bytes)) {
  read(where);
  if (rank_ == 0)
    throw DataError(where + ": no merges; a line for each, like 'e n</w>', is needed");
}

/// Without a version, two columns are subword-nmt's first, three are fastBPE's.
void MergeCodes::read(const std::string& where) {
  int64_t replaced = 0;
  const auto text = valid_utf8(bytes_, &replaced);
  int64_t number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    const auto line = trimmed(std::string_view(text).substr(at, end - at));
    at = end + 1;
    const auto parts = columns(line);
    if (++number == 1 && line.starts_with(kVersion)) {
      end_apart_ = parts.back().starts_with("0.1");
      continue;
    }
    const bool with_count = parts.size() == 3 && is_count(parts[2]);
    if (number == 1) end_apart_ = !with_count;
    if ((parts.size() != 2 && !with_count) || parts[0].empty() || parts[1].empty()) {
      throw DataError(fmt::format("{}:{}: {}, expected the 2 pieces of a merge", where, number,
                                  counted(std::ssize(parts), "column")));
    }
    add(parts[0], parts[1]);
  }
}

Symbol MergeCodes::intern(std::string_view text) {
  const auto [at, added] = symbols_.emplace(text, static_cast<Symbol>(symbols_.size()));
  if (!added) return at->second;
  if (text == kEnd) {
    end_ = at->second;
    return at->second;
  }
  const bool final = text.size() > kEnd.size() && text.ends_with(kEnd);
  const auto letter = final ? text.substr(0, text.size() - kEnd.size()) : text;
  if (letter_bytes(letter) == letter.size()) letters_.insert(letter_key(letter, final), at->second);
  return at->second;
}

void MergeCodes::add(std::string_view left, std::string_view right) {
  auto merged = std::string(left) + std::string(right);
  const auto [left_symbol, right_symbol] = std::pair(intern(left), intern(right));
  merges_.add(left_symbol, right_symbol, {static_cast<double>(rank_++), intern(merged)});
  halves_.emplace(std::move(merged), std::pair(left, right));
}

void MergeCodes::start(std::string_view word, std::vector<Part>& parts) const {
  parts.clear();
  const auto len = static_cast<int32_t>(word.size());
  for (int32_t at = 0; at < len;) {
    const auto end = at + static_cast<int32_t>(letter_bytes(word.substr(at)));
    const bool final = end == len && !end_apart_;
    const auto* symbol = letters_.find(letter_key(word.substr(at, end - at), final));
    parts.push_back({symbol == nullptr ? kNoSymbol : *symbol, at, end});
    at = end;
  }
  if (end_apart_ && parts.size() > 1) parts.push_back({end_, len, len});
}

void MergeCodes::finish(std::vector<Part>& parts) {
  if (parts.back().begin == parts.back().end) parts.pop_back();
}

std::pair<std::string, std::string> MergeCodes::halves(const std::string& piece, bool final) const {
  const auto found = halves_.find(final ? piece + std::string(kEnd) : piece);
  if (found == halves_.end()) return {};
  auto halves = found->second;
  if (!final) return halves;
  auto& right = halves.second;
  if (right == kEnd) return this->halves(halves.first, /*final=*/false);
  if (!right.ends_with(kEnd)) return {};
  right.resize(right.size() - kEnd.size());
  return halves;
}

}  // namespace heed::text
