#pragma once

#include <string>

#include "config/run.h"

namespace heed::cli {

/// "multi_head, 4 heads", "gru, additive attention", or "gru, attention pooling" of a classifier.
std::string attention_text(const config::Model& model, bool translates);

/// "transformer · 3 + 3 layers · multi_head, 4 heads"
std::string model_text(const config::Run& run);

/// Widths and choices: "d_model 256 · d_ff 1024 · pre-norm · relu · positions sinusoidal · dropout
/// 0.1"
std::string model_details(const config::Model& model);

}  // namespace heed::cli
