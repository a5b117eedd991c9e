#pragma once

#include <vector>

#include "data/toy_corpus.h"

namespace heed::data {

/// Letters and the same letters (again, or last first), parted by spaces. As many lines of each
/// length: 1 to 25 in train, valid and test, 26 to 60 in test_long.
std::vector<CorpusFile> make_copy();
std::vector<CorpusFile> make_reverse();

}  // namespace heed::data
