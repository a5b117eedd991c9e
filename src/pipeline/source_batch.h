#pragma once

#include <cstdint>
#include <vector>

#include "model/encoder_decoder.h"
#include "pipeline/overlong.h"

namespace heed::pipeline {

/// These lines as a model reads them: EOS at the end of each, then padding; ids on `device`.
/// places: those of `lines` that make the batch, none of them empty.
model::Sequences source_batch(const std::vector<EncodedLine>& lines,
                              const std::vector<int64_t>& places, torch::Device device);

}  // namespace heed::pipeline
