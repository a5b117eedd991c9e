#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/data.h"
#include "data/batch.h"
#include "data/left_out.h"
#include "data/line_encoder.h"
#include "data/pairs.h"
#include "data/table.h"
#include "text/tokenizer.h"

namespace heed::data {

/// What a loss is computed on: the lines of a split as ids, without those with an empty side, those
/// over data.max_len and those over data.max_ratio.
struct Corpus : LeftOuts {
  std::vector<Example> examples{};
};

/// All lines, one after the other. file: named where nothing is left, which is a DataError whose
/// text names the first line left out.
Corpus make_corpus(const LineEncoder& encoder, const std::string& file, const config::Data& config);

Corpus make_corpus(const Pairs& pairs, const text::Tokenizers& tokenizers,
                   const config::Data& config);

/// Also throws DataError, "FILE:LINE: ", for a label that is none of `labels`.
Corpus make_corpus(const Table& table, const std::shared_ptr<const text::Tokenizer>& tokenizer,
                   const std::vector<std::string>& labels, const config::Data& config);

/// Throws DataError where all lines are left out.
void check_left(const LeftOuts& left_out, int64_t examples, const std::string& file);

}  // namespace heed::data
