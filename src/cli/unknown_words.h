#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/run.h"

namespace heed::cli {

/// How many words of each source line the training text of a run never has: words as the word
/// tokenizer parts them, of text as the run's tokenizer reads it (Unicode form, case, pieces
/// joined). Reads the training files; where one is not there any more the answer is empty, and a
/// warning says so.
std::vector<int64_t> unknown_words(const config::Run& run, const std::vector<std::string>& lines);

}  // namespace heed::cli
