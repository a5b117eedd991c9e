#pragma once

#include <string>

#include "config/model.h"
#include "nn/recurrent/cell.h"
#include "nn/recurrent/memory_attention.h"

/// From the config's words to the options of recurrent layers.
namespace heed::model {

/// A cell of width d_model that reads `in` features.
nn::CellOptions cell_options(const config::Model& config, int64_t in);

nn::MemoryAttentionOptions memory_attention_options(const config::Model& config);

enum class StateInit { kBridge, kLast, kZero };
StateInit state_init(const config::Model& config);

/// Which path training runs: "whole sequences, fused cells", and the reason where it is a slower
/// one.
std::string training_path(const config::Model& config, torch::Device device);

}  // namespace heed::model
