#pragma once

#include <string>

#include "inspect/verify.h"

namespace heed::test {

/// A small fresh model of a task, with the config as `change` leaves it.
template <typename Change>
inspect::Verified small_model(const std::string& task, const Change& change) {
  config::Run config;
  config.task = task;
  config.seed = 3;
  config.data.max_len = 20;
  config.tokenizer.vocab_size = 30;
  config.model = {.d_model = 16, .heads = 2, .d_ff = 32, .enc_layers = 2, .dec_layers = 2};
  change(config.model);
  return inspect::verified(config, torch::kCPU);
}

inline inspect::Verified small_model(const std::string& task) {
  return small_model(task, [](config::Model&) {});
}

}  // namespace heed::test
