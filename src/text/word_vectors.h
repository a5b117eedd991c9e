#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "text/tokenizer.h"

namespace heed::text {

/// Vectors of the pieces that a file has.
struct WordVectors {
  std::vector<int64_t> ids;
  std::vector<float> values;  // [ids, width], row by row
};

/// Looks the pieces of a tokenizer up in a file of vectors in text form: a word and `width` numbers
/// a line, with or without word2vec's first line of two counts; plain or gzipped. Where pieces mark
/// the begin of a word (SentencePiece), those that do are looked up, without their mark. Of a word
/// that comes twice the first counts. Throws DataError, "FILE:LINE: ", where a line has no `width`
/// numbers at its end.
WordVectors read_word_vectors(const std::string& file, const Tokenizer& tokenizer, int64_t width);

}  // namespace heed::text
