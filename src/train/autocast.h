#pragma once

#include <optional>

#include <ATen/autocast_mode.h>
#include "base/torch.h"

namespace heed::train {

/// Runs the enclosed scope in `dtype` where that is safe; no dtype means full precision.
class Autocast {
 public:
  Autocast(torch::DeviceType device, std::optional<torch::ScalarType> dtype)
      : device_(device),
        outer_enabled_(at::autocast::is_autocast_enabled(device)),
        outer_dtype_(at::autocast::get_autocast_dtype(device)) {
    at::autocast::increment_nesting();
    at::autocast::set_autocast_enabled(device, dtype.has_value());
    if (dtype) at::autocast::set_autocast_dtype(device, *dtype);
  }

  ~Autocast() {
    at::autocast::set_autocast_dtype(device_, outer_dtype_);
    at::autocast::set_autocast_enabled(device_, outer_enabled_);
    if (at::autocast::decrement_nesting() == 0) at::autocast::clear_cache();
  }

  Autocast(const Autocast&) = delete;
  Autocast& operator=(const Autocast&) = delete;

 private:
  torch::DeviceType device_;
  bool outer_enabled_;
  torch::ScalarType outer_dtype_;
};

}  // namespace heed::train
