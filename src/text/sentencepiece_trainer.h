#pragma once

#include <string>
#include <vector>

#include "config/tokenizer.h"
#include "text/tokenizer.h"

namespace heed::text {

/// A SentencePiece model (the bytes of its file), type bpe or unigram, with heed's special ids; the
/// same for the same lines. It has fewer pieces than `vocab_size` where the lines have no more.
/// Lines over kLongestLine bytes are left out; of more than 500,000 lines, or 256 MiB, as much is
/// drawn at random, always the same. Both are counted in `*report`. Throws DataError where the
/// characters alone are more than `vocab_size`, or where there is no text; ConfigError for a user
/// symbol that is a special token.
std::string train_sentencepiece(const config::Tokenizer& config,
                                const std::vector<std::string>& lines, TrainingReport* report);

}  // namespace heed::text
