#pragma once

#include <string>

namespace heed::cli {

/// How far a work is.
struct BarState {
  double share = 0.0;  // done, in [0, 1]
  std::string what;    // "step 420/1000"
  double rate = 0.0;   // units a second
  std::string unit = "tok";
  double seconds_left = 0.0;  // not finite or negative: not known yet
};

/// "[=====>    ]  42 % · step 420/1000 · 4.1k tok/s · 1:23 left"
std::string bar_line(const BarState& state);

/// "412", "4.1k", "1.2M": three digits are plenty for a rate.
std::string short_count(double number);

/// "0:07", "1:23", "2:05:00"
std::string clock(double seconds);

}  // namespace heed::cli
