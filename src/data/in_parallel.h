#pragma once

#include <cstdint>
#include <functional>

namespace heed::data {

/// Calls work(from, to) for pieces that make up [begin, end), on `threads` threads, this one among
/// them; pieces are taken until `stop` says so. An exception of a piece comes out, after the others
/// have ended.
void in_parallel(int64_t begin, int64_t end, int64_t threads,
                 const std::function<void(int64_t, int64_t)>& work,
                 const std::function<bool()>& stop = {});

}  // namespace heed::data
