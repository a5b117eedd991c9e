#pragma once

#include <cstdint>
#include <span>

#include "data/bucket.h"

namespace heed::data {

/// Exchanges examples between batches of like shape where that needs less padding, which weighs
/// twice as much on targets. No batch comes out over `batch_tokens`, nor a different number of
/// them. Of very many batches none is touched: each has many of its shape anyway.
void regroup(std::span<const Shape> shapes, int64_t batch_tokens, Plan& batches);

}  // namespace heed::data
