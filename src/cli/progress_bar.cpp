#include "cli/progress_bar.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include <spdlog/fmt/fmt.h>

namespace heed::cli {
namespace {

constexpr int kWidth = 24;

}  // namespace

std::string bar_line(const BarState& state) {
  const double share = std::clamp(state.share, 0.0, 1.0);
  const auto filled = static_cast<int>(std::lround(share * kWidth));
  std::string bar(filled, '=');
  if (filled < kWidth) bar += '>';
  const bool known = std::isfinite(state.seconds_left) && state.seconds_left >= 0.0;
  return fmt::format("[{:<{}}] {:>3.0f} % · {} · {} {}/s{}", bar, kWidth, std::floor(share * 100.0),
                     state.what, short_count(state.rate), state.unit,
                     known ? fmt::format(" · {} left", clock(state.seconds_left)) : "");
}

std::string short_count(double number) {
  if (number >= 999'950.0) return fmt::format("{:.1f}M", number / 1e6);
  if (number >= 999.5) return fmt::format("{:.1f}k", number / 1e3);
  return fmt::format("{:.0f}", number);
}

std::string clock(double seconds) {
  const auto whole = static_cast<int64_t>(std::lround(seconds));
  const auto [hours, minutes, rest] =
      std::array<int64_t, 3>{whole / 3600, whole / 60 % 60, whole % 60};
  return hours > 0 ? fmt::format("{}:{:02}:{:02}", hours, minutes, rest)
                   : fmt::format("{}:{:02}", minutes, rest);
}

}  // namespace heed::cli
