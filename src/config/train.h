#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/range.h"

namespace heed::config {

struct Train {
  int64_t batch_tokens = 4096;     // real target tokens of a step; classify: real input tokens
  int64_t accumulate = 1;          // micro-batches a step
  std::string optimizer = "adam";  // adam, adamw, sgd or adafactor
  std::vector<double> adam_betas = {0.9, 0.98};
  double adam_eps = 1e-9;
  double momentum = 0.9;  // sgd
  double weight_decay = 0.0;
  double lr = 0.001;                      // peak; under noam the factor, 1 is the paper's
  std::string schedule = "inverse_sqrt";  // noam, inverse_sqrt, linear, cosine, plateau or constant
  int64_t warmup_steps = 1000;            // 0: none
  double decay_steps = 0.0;      // linear to 0 over the last N steps; below 1: share of the run
  double plateau_factor = 0.5;   // plateau: the rate is multiplied by it ...
  int64_t plateau_patience = 2;  // ... after so many evaluations without a better score
  double label_smoothing = 0.1;
  double clip_norm = 1.0;          // global norm of the true gradients; 0: off
  std::string precision = "auto";  // fp32, bf16, fp16 or auto
  bool recompute = false;          // layers keep nothing for the backward pass and run again there
  std::string on_oom = "stop";     // stop, or split: the step again in twice as many parts
  std::string on_divergence = "stop";  // stop, or rollback: the last checkpoint, at half the rate
  int64_t max_steps = 0;               // 0: no limit, as for the other two; one must be set
  int64_t max_epochs = 0;
  double max_seconds = 0.0;     // from the first step, validation and saving included
  int64_t eval_every = 500;     // steps; 0: at the end only
  std::string metric = "auto";  // what is better: auto (bleu, accuracy), loss, ppl, bleu, chrf,
                                // exact_match, token_accuracy, accuracy or macro_f1
  int64_t patience = 0;         // evaluations without a better score before it stops; 0: off
  double min_delta = 0.0;       // by how much a score must be better to count as such
  double ema = 0.0;          // decay of a moving average of the weights, which is what is evaluated
                             // and saved; 0: off
  int64_t average_last = 0;  // checkpoints averaged into one more at the end; 0: off
  std::string source_vectors{};  // word vectors in text form that the embeddings begin with
  std::string target_vectors{};
  std::string matmul_precision = "highest";  // of fp32 products: highest, high or medium
  std::vector<std::string> freeze{};  // names of parameters, with * and ?, that stay as they are
  std::string init_from{};            // run, checkpoint or .safetensors whose weights come first

  bool operator==(const Train&) const = default;

  static void fields(auto& self, auto&& visit) {
    visit("batch_tokens", self.batch_tokens, Range{1, 1e9});
    visit("accumulate", self.accumulate, Range{1, 1e6});
    visit("optimizer", self.optimizer);
    visit("adam_betas", self.adam_betas);
    visit("adam_eps", self.adam_eps, at_least(0.0));
    visit("momentum", self.momentum, Range{0.0, 0.9999});
    visit("weight_decay", self.weight_decay, at_least(0.0));
    visit("lr", self.lr, at_least(0.0));
    visit("schedule", self.schedule);
    visit("warmup_steps", self.warmup_steps, at_least(0));
    visit("decay_steps", self.decay_steps, at_least(0.0));
    visit("plateau_factor", self.plateau_factor, Range{0.0, 1.0});
    visit("plateau_patience", self.plateau_patience, at_least(1));
    visit("label_smoothing", self.label_smoothing, Range{0.0, 0.99});
    visit("clip_norm", self.clip_norm, at_least(0.0));
    visit("precision", self.precision);
    visit("recompute", self.recompute);
    visit("on_oom", self.on_oom);
    visit("on_divergence", self.on_divergence);
    visit("max_steps", self.max_steps, at_least(0));
    visit("max_epochs", self.max_epochs, at_least(0));
    visit("max_seconds", self.max_seconds, at_least(0.0));
    visit("eval_every", self.eval_every, at_least(0));
    visit("metric", self.metric);
    visit("patience", self.patience, at_least(0));
    visit("min_delta", self.min_delta, at_least(0.0));
    visit("ema", self.ema, Range{0.0, 0.999999});
    visit("average_last", self.average_last, at_least(0));
    visit("source_vectors", self.source_vectors);
    visit("target_vectors", self.target_vectors);
    visit("matmul_precision", self.matmul_precision);
    visit("freeze", self.freeze);
    visit("init_from", self.init_from);
  }
  void check(const std::string& path) const;
};

}  // namespace heed::config
