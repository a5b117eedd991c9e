#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/torch.h"
#include "config/model.h"

namespace heed::bench {

/// One attention layer that reads one batch of texts of one length.
struct AttentionCell {
  std::string type;  // explicit, fused (both multi_head), or another model.attention.type
  int64_t length = 0;
  int64_t batch = 1;
  config::Model model{};  // its shape; dropout is off
};

/// Memory is that of the process (resident, host), or of LibTorch's allocator where another device
/// computes, beyond what it held with the layer's weights and the input in place, and without the
/// output; NaN where the allocator doesn't count.
struct AttentionCost {
  double forward_ms = 0.0;          // median
  double training_ms = 0.0;         // forward and backward, median
  double forward_memory_mb = 0.0;   // MiB at the peak
  double training_memory_mb = 0.0;  // likewise; the gradients of input and weights belong to it
  double peak_memory_mb = 0.0;      // MiB, of the whole process
};

/// Tokens that longformer and bigbird get as global ones.
inline constexpr std::array<int64_t, 1> kBenchGlobals{0};

/// The words that AttentionCell::type takes.
std::vector<std::string> attention_bench_types();

/// Throws ConfigError, "--types: ...", for another word.
void check_attention_bench_type(const std::string& type);

/// Self-attention without a mask, as an encoder has it; longformer and bigbird get one global
/// token. Memory first, in a process that holds as little as it can, so call it once in a process:
/// what an earlier cell freed would hide what this one takes. Changes how the process keeps freed
/// memory.
AttentionCost bench_attention(const AttentionCell& cell, torch::Device device);

}  // namespace heed::bench
