#pragma once

#include <cstdint>

#include "config/range.h"

namespace heed::config {

struct Log {
  int64_t every = 50;        // steps between log lines
  bool tensorboard = false;  // also write event files, to RUN/tensorboard

  bool operator==(const Log&) const = default;

  static void fields(auto& self, auto&& visit) {
    visit("every", self.every, at_least(1));
    visit("tensorboard", self.tensorboard);
  }
};

}  // namespace heed::config
