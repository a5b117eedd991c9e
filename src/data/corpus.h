#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/batch.h"
#include "data/pairs.h"
#include "data/table.h"
#include "text/tokenizer.h"

namespace heed::data {

/// Lines that a corpus does not use, for one reason.
struct LeftOut {
  struct Line {
    std::string file;
    int64_t number = 0;  // from 1
    int64_t tokens = 0;  // of its text; 0: an empty side
  };

  int64_t count = 0;
  std::vector<Line> first;  // the first kLinesNamed of them
};

inline constexpr std::size_t kLinesNamed = 10;

/// What a loss is computed on: the lines of a split as ids, without those with an empty side and
/// those over data.max_len. Example::index is the line's place in the split, left-out ones counted.
struct Corpus {
  std::vector<Example> examples;
  int64_t lines = 0;  // of the split
  LeftOut empty{};
  LeftOut overlong{};
};

/// Throw DataError where nothing is left; the text names the first line left out.
Corpus make_corpus(const Pairs& pairs, const text::Tokenizers& tokenizers, int64_t max_len);

/// Also throws DataError, "FILE:LINE: ", for a label that is none of `labels`.
Corpus make_corpus(const Table& table, const text::Tokenizer& tokenizer,
                   const std::vector<std::string>& labels, int64_t max_len);

/// What was left out, a line for a person about each reason: how many and which.
std::vector<std::string> reports(const Corpus& corpus, int64_t max_len);

}  // namespace heed::data
