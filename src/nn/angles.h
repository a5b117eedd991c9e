#pragma once

#include "base/torch.h"

namespace heed::nn {

/// How fast the features of a position turn.
struct AngleOptions {
  int64_t width = 0;      // features; pairs of them share an angle
  double base = 10000.0;  // the slowest pair turns about this many times slower than the first
  double stretch = 1.0;   // position interpolation (Chen et al., 2023), arXiv:2306.15595
};

/// position / stretch / base^(2i / width): fp64 [len, ceil(width / 2)] for the positions from
/// `first` on.
torch::Tensor angles(int64_t first, int64_t len, const AngleOptions& options);

/// The base under which the slowest pair turns `factor` times slower and the fastest as before
/// ("NTK-aware" scaling; Peng et al., 2023, section 3.1), https://arxiv.org/abs/2309.00071. width:
/// above 2.
double ntk_base(double base, double factor, int64_t width);

}  // namespace heed::nn
