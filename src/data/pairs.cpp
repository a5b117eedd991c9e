#include "data/pairs.h"

#include <spdlog/fmt/fmt.h>

#include "base/error.h"
#include "text/lines.h"

namespace heed::data {

Pairs read_pairs(const std::string& source_file, const std::string& target_file) {
  Pairs pairs{.source_file = source_file, .target_file = target_file, .source = {}, .target = {}};
  pairs.source = text::read_lines(source_file, &pairs.replaced);
  pairs.target = text::read_lines(target_file, &pairs.replaced);
  if (pairs.source.size() != pairs.target.size()) {
    throw DataError(fmt::format("{}: {} lines, but {} has {}; both need one line a sentence",
                                source_file, pairs.source.size(), target_file,
                                pairs.target.size()));
  }
  if (pairs.source.empty()) {
    throw DataError(fmt::format("{}: no lines; a sentence on each is needed", source_file));
  }
  return pairs;
}

}  // namespace heed::data
