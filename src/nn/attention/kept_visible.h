#pragma once

#include "nn/attention/attention.h"
#include "nn/attention/kept_positions.h"

namespace heed::nn {

/// What one query may see of the keys that a cache kept: lengths and `allowed`, which speak of
/// positions 0..count-1, become a mask of the keys held, [..., 1, Tk]. All of them are its past, so
/// causality is gone; `global` stays as it is. Throws c10::Error for an `allowed` of another
/// length.
Visible visible_of_kept(const Visible& visible, const KeptPositions& kept, torch::Device device);

/// Of several queries, from position `past` on, what the one with this number may see, as if it
/// came alone.
Visible visible_of_one(const Visible& visible, int64_t past, int64_t query);

}  // namespace heed::nn
