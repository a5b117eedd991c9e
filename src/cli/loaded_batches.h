#pragma once

#include "config/run.h"
#include "data/growing_corpus.h"
#include "data/loader.h"
#include "train/trainer.h"

namespace heed::cli {

/// The loader as the trainer knows it.
class LoadedBatches final : public train::BatchSource {
 public:
  LoadedBatches(const data::GrowingCorpus& corpus, const config::Run& config)
      : loader_(corpus, config.train.batch_tokens, config.seed) {}
  int64_t batches(int64_t epoch) override { return loader_.batches(epoch); }
  data::Batch batch(int64_t epoch, int64_t index) override { return loader_.batch(epoch, index); }

 private:
  data::Loader loader_;
};

}  // namespace heed::cli
