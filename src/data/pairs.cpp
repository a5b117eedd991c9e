#include "data/pairs.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <spdlog/fmt/fmt.h>

#include "base/counted.h"
#include "base/error.h"
#include "text/lines.h"

namespace heed::data {
namespace {

void append(std::vector<std::string> lines, std::vector<std::string>& out) {
  if (out.empty()) {
    out = std::move(lines);
  } else {
    std::ranges::move(lines, std::back_inserter(out));
  }
}

void read_part(const std::string& source_file, const std::string& target_file, Pairs& pairs) {
  auto source = text::read_lines(source_file, &pairs.replaced);
  auto target = text::read_lines(target_file, &pairs.replaced);
  if (source.size() != target.size()) {
    throw DataError(fmt::format("{}: {}, but {} has {}; both need one line a sentence", source_file,
                                counted(std::ssize(source), "line"), target_file, target.size()));
  }
  if (source.empty()) {
    throw DataError(fmt::format("{}: no lines; a sentence on each is needed", source_file));
  }
  pairs.parts.push_back({source_file, target_file, std::ssize(pairs.source)});
  append(std::move(source), pairs.source);
  append(std::move(target), pairs.target);
}

}  // namespace

Pairs::Place Pairs::place(int64_t i) const {
  if (parts.empty()) return {source_file, target_file, i + 1};
  const auto after = std::ranges::upper_bound(parts, i, {}, &Part::first);
  const auto& part = *std::prev(after);
  return {part.source_file, part.target_file, i - part.first + 1};
}

Pairs read_pairs(const config::DataNames& source_files, const config::DataNames& target_files) {
  if (source_files.empty() || source_files.size() != target_files.size()) {
    throw ConfigError(fmt::format("{} and {}; each needs the other",
                                  counted(std::ssize(source_files.all()), "source file"),
                                  counted(std::ssize(target_files.all()), "target file")));
  }
  Pairs pairs{
      .source_file = source_files[0], .target_file = target_files[0], .source = {}, .target = {}};
  for (std::size_t i = 0; i < source_files.size(); ++i) {
    read_part(source_files[i], target_files[i], pairs);
  }
  return pairs;
}

}  // namespace heed::data
