#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heed::data {

/// Lines of a split that have something in common: how many, and which are the first.
struct FoundLines {
  struct Line {
    std::string file;
    int64_t number = 0;  // from 1
    int64_t tokens = 0;  // of its text, where these matter
    int64_t other = 0;   // tokens of the other side, where these matter
  };

  int64_t count = 0;
  std::vector<Line> first{};  // the first kLinesNamed of them

  void add(const Line& line);
};

inline constexpr std::size_t kLinesNamed = 3;

enum class Reason { kNone, kEmpty, kOverlong, kUnbalanced };

/// All lines of a split that are not used, by reason.
struct LeftOuts {
  int64_t lines = 0;  // of the split, used ones too
  FoundLines empty{};
  FoundLines overlong{};    // over max_len
  FoundLines unbalanced{};  // over max_ratio
  int64_t max_len = 0;
  double max_ratio = 0.0;

  void add(Reason reason, const FoundLines::Line& line);
};

/// A line for a person about each reason: how many and which.
std::vector<std::string> reports(const LeftOuts& left_out);

/// "FILE:LINE, FILE:LINE with 40 tokens, ..."
std::string named_lines(const FoundLines& left_out);

}  // namespace heed::data
