#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/range.h"

namespace heed::config {

struct Train {
  int64_t batch_tokens = 4096;     // real target tokens of a step; classify: real input tokens
  int64_t accumulate = 1;          // micro-batches a step
  std::string optimizer = "adam";  // adam or adamw
  std::vector<double> adam_betas = {0.9, 0.98};
  double adam_eps = 1e-9;
  double weight_decay = 0.0;
  double lr = 0.001;                      // peak; under noam the factor, 1 is the paper's
  std::string schedule = "inverse_sqrt";  // noam, inverse_sqrt or constant
  int64_t warmup_steps = 1000;            // 0: none
  double decay_steps = 0.0;  // linear to 0 over the last N steps; below 1: share of the run
  double label_smoothing = 0.1;
  double clip_norm = 1.0;          // global norm of the true gradients; 0: off
  std::string precision = "auto";  // fp32, bf16 or auto
  int64_t max_steps = 0;           // 0: no limit, as for the other two; one must be set
  int64_t max_epochs = 0;
  double max_seconds = 0.0;  // from the first step, validation and saving included
  int64_t eval_every = 500;  // steps; 0: at the end only
  int64_t patience = 0;      // evaluations without a better score before it stops; 0: off

  bool operator==(const Train&) const = default;

  static void fields(auto& self, auto&& visit) {
    visit("batch_tokens", self.batch_tokens, Range{1, 1e9});
    visit("accumulate", self.accumulate, Range{1, 1e6});
    visit("optimizer", self.optimizer);
    visit("adam_betas", self.adam_betas);
    visit("adam_eps", self.adam_eps, at_least(0.0));
    visit("weight_decay", self.weight_decay, at_least(0.0));
    visit("lr", self.lr, at_least(0.0));
    visit("schedule", self.schedule);
    visit("warmup_steps", self.warmup_steps, at_least(0));
    visit("decay_steps", self.decay_steps, at_least(0.0));
    visit("label_smoothing", self.label_smoothing, Range{0.0, 0.99});
    visit("clip_norm", self.clip_norm, at_least(0.0));
    visit("precision", self.precision);
    visit("max_steps", self.max_steps, at_least(0));
    visit("max_epochs", self.max_epochs, at_least(0));
    visit("max_seconds", self.max_seconds, at_least(0.0));
    visit("eval_every", self.eval_every, at_least(0));
    visit("patience", self.patience, at_least(0));
  }
  void check(const std::string& path) const;
};

}  // namespace heed::config
