#pragma once

#include <cstdint>
#include <vector>

#include "config/model.h"
#include "text/tokenizer.h"

namespace heed::pipeline {

/// The ids of model.attention.global_tokens: the piece itself, or the piece that begins a word with
/// it. Throws ConfigError naming the first that is no piece, or that no source holds (<s>, <pad>).
std::vector<int64_t> global_ids(const config::Attention& config, const text::Tokenizer& tokenizer);

}  // namespace heed::pipeline
