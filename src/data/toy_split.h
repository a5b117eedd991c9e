#pragma once

#include <cstddef>

namespace heed::data {

/// Which of its files a line of a toy corpus belongs to.
enum class ToySplit : std::size_t { kTest, kValid, kTrain };

/// Of each `parts` combinations in a row one is the test's, one the validation set's.
inline ToySplit toy_split(std::size_t combination, std::size_t parts) {
  const auto part = combination % parts;
  return part == 0 ? ToySplit::kTest : part == 1 ? ToySplit::kValid : ToySplit::kTrain;
}

}  // namespace heed::data
