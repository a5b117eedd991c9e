#pragma once

#include <cstdint>

#include "config/range.h"

namespace heed::config {

struct Log {
  int64_t every = 50;         // steps between log lines
  int64_t watch_every = 500;  // steps between two looks at every tensor and attention head; 0: off
  double grad_norm_warn = 10.0;  // a tensor whose gradient is longer is named; 0: none
  bool tensorboard = false;      // also write event files, to RUN/tensorboard

  bool operator==(const Log&) const = default;

  static void fields(auto& self, auto&& visit) {
    visit("every", self.every, at_least(1));
    visit("watch_every", self.watch_every, at_least(0));
    visit("grad_norm_warn", self.grad_norm_warn, at_least(0.0));
    visit("tensorboard", self.tensorboard);
  }
};

}  // namespace heed::config
