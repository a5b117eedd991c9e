#include "data/left_out.h"

#include <filesystem>
#include <stdexcept>

#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>

namespace heed::data {
namespace {

std::string named(const FoundLines::Line& line) {
  const auto file = std::filesystem::path(line.file).filename().string();
  if (line.tokens == 0) return fmt::format("{}:{}", file, line.number);
  if (line.other == 0) return fmt::format("{}:{} with {} tokens", file, line.number, line.tokens);
  return fmt::format("{}:{} with {} and {} tokens", file, line.number, line.tokens, line.other);
}

}  // namespace

void FoundLines::add(const Line& line) {
  ++count;
  if (first.size() < kLinesNamed) first.push_back(line);
}

void LeftOuts::add(Reason reason, const FoundLines::Line& line) {
  switch (reason) {
    case Reason::kEmpty:
      return empty.add(line);
    case Reason::kOverlong:
      return overlong.add(line);
    case Reason::kUnbalanced:
      return unbalanced.add(line);
    case Reason::kNone:
      throw std::logic_error("a line that is used was left out");
  }
}

std::string named_lines(const FoundLines& left_out) {
  std::vector<std::string> names;
  for (const auto& line : left_out.first) names.push_back(named(line));
  const bool more = left_out.count > std::ssize(names);
  return fmt::format("{}{}", fmt::join(names, ", "), more ? ", ..." : "");
}

std::vector<std::string> reports(const LeftOuts& left_out) {
  std::vector<std::string> lines;
  const auto report = [&](const FoundLines& some, const std::string& why) {
    if (some.count == 0) return;
    lines.push_back(fmt::format("{} left out, {}: {}", some.count, why, named_lines(some)));
  };
  report(left_out.empty, "nothing to read");
  report(left_out.overlong, fmt::format("over data.max_len, which is {}", left_out.max_len));
  report(left_out.unbalanced, fmt::format("over data.max_ratio, which is {}", left_out.max_ratio));
  return lines;
}

}  // namespace heed::data
