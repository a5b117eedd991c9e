#pragma once

#include <cstdint>
#include <vector>

#include "model/encoder_decoder.h"

namespace heed::decode {

/// Teacher forcing: log p of every token of given targets, in fp32, all at once. What search found
/// step by step must score the same here.
///
/// targets: ids of one target a memory row, EOS included, none empty. trace: filled where given.
/// caches: a token sees what such caches would have kept for it, at full precision.
std::vector<std::vector<double>> rescore(model::EncoderDecoder& model, const model::Memory& memory,
                                         const std::vector<std::vector<int64_t>>& targets,
                                         int64_t begin, model::Trace* trace = nullptr,
                                         const nn::CacheOptions& caches = {});

}  // namespace heed::decode
