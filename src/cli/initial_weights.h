#pragma once

#include <string>
#include <vector>

#include "base/torch.h"
#include "config/train.h"
#include "text/tokenizer.h"

namespace heed::cli {

/// Weights of another training, and word vectors, in the place of random ones, unless they come
/// from a checkpoint of this run; and what stays as it is. The lines to log about it. Throws
/// CheckpointError, DataError, ConfigError.
std::vector<std::string> prepare_weights(const config::Train& config, bool resumed,
                                         const text::Tokenizers& tokenizers,
                                         torch::nn::Module& module);

}  // namespace heed::cli
