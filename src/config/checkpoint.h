#pragma once

#include <cstdint>

#include "config/range.h"

namespace heed::config {

struct Checkpoint {
  int64_t every = 500;    // steps; 0: at evaluations and at the end only
  int64_t keep_last = 3;  // most recent ones kept
  int64_t keep_best = 1;  // best ones kept

  bool operator==(const Checkpoint&) const = default;

  static void fields(auto& self, auto&& visit) {
    visit("every", self.every, at_least(0));
    visit("keep_last", self.keep_last, at_least(1));
    visit("keep_best", self.keep_best, at_least(1));
  }
};

}  // namespace heed::config
