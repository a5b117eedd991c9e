#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "config/data.h"
#include "data/left_out.h"
#include "data/lengths.h"
#include "data/line_encoder.h"

namespace heed::data {

/// Sides over this many times as long as the other, in tokens, are suspicious (from
/// kRatioFromTokens on). Only data.max_ratio leaves a pair out.
inline constexpr double kSuspiciousRatio = 3.0;

/// One side of a split: source, target or, of a classifier, text.
struct SideCheck {
  std::string name;
  Lengths characters{};
  Lengths words{};
  Lengths tokens{};
  int64_t token_count = 0;
  int64_t unknown_count = 0;  // of these
  FoundLines repeated{};      // lines, blank ones aside, that an earlier one of the split equals
  FoundLines in_train{};      // lines that one of the training data equals

  double unknown_share() const;
};

/// Lines of a kind that is often a fault of the data.
struct SuspiciousLines {
  std::string kind;  // a key for programs
  std::string meaning;
  FoundLines lines{};
};

struct SplitCheck {
  std::string name;
  std::vector<std::string> files{};  // for the reader; the check leaves them alone
  int64_t replaced = 0;              // ill-formed UTF-8 sequences, likewise

  int64_t used = 0;  // of left_out.lines
  LeftOuts left_out{};
  std::vector<SideCheck> sides{};
  FoundLines repeated{};                    // whole pairs; of a classifier, texts with their label
  FoundLines in_train{};                    // likewise, that the training data has
  std::map<std::string, int64_t> labels{};  // of a classifier: how often each occurs
  std::vector<SuspiciousLines> suspicious{};

  /// A 64-bit name of each line, for the check of other splits: of its sides, then of the whole;
  /// sorted.
  std::vector<std::vector<uint64_t>> names{};
};

/// Looks at every line of a split, on `threads` threads. labels: of a classifier, by id. train: the
/// training data's check, to compare with. The encoder forgets each line that was looked at; what
/// stays is 12 bytes a line and side. Throws DataError where a training or an evaluation would.
SplitCheck check_split(const std::string& name, LineEncoder& encoder,
                       const std::vector<std::string>& labels, const config::Data& config,
                       int64_t threads, const SplitCheck* train = nullptr);

}  // namespace heed::data
