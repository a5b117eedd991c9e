#pragma once

#include <cstdint>

#include "base/torch.h"
#include "config/run.h"

namespace heed::bench {

struct DecodeOptions {
  int64_t length = 20;      // tokens written for each sentence, whatever the model wants
  int64_t sentences = 512;  // a round
  int64_t rounds = 3;
};

/// Only tokens of the best hypothesis count.
struct DecodeReport {
  double tokens_per_second = 0.0;  // median of the rounds
  double latency_ms = 0.0;         // median of single sentences
  double peak_memory_mb = 0.0;
  double encode_seconds = 0.0;  // of all rounds and workers
  double search_seconds = 0.0;
  double seconds = 0.0;  // of all rounds, by the clock
};

/// Decoding speed of a model of the config's shape with random weights, tokenizer.vocab_size
/// pieces, sources of 8 to 16 random tokens; beam, length penalty and batch size as in
/// config.decode. Throws ConfigError where the config is no translation or its shape can't be.
DecodeReport bench_decode(const config::Run& config, const DecodeOptions& options,
                          torch::Device device);

}  // namespace heed::bench
