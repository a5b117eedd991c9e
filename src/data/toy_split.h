#pragma once

#include <cstddef>

namespace heed::data {

/// Which of its files a line of a toy corpus belongs to.
enum class ToySplit : std::size_t { kTest, kValid, kTrain };

}  // namespace heed::data
