#pragma once

#include <cstdint>
#include <future>
#include <optional>
#include <utility>
#include <vector>

#include "data/batch.h"
#include "data/bucket.h"
#include "data/growing_corpus.h"

namespace heed::data {

/// The batches of a training by (epoch, index): what `plan` says, whenever and in whatever order
/// they are asked for. Epoch 0 goes through the corpus block by block, so that it can begin before
/// the last one is there; later epochs mix all of them. A background thread collates the batch of
/// the epoch after the one handed out; its faults are thrown by the call that asks for that batch.
/// For one caller at a time.
class Loader {
 public:
  /// The corpus outlives it. Throws std::logic_error where it has no example.
  Loader(const GrowingCorpus& corpus, int64_t batch_tokens, int64_t seed);
  ~Loader();
  Loader(const Loader&) = delete;
  Loader& operator=(const Loader&) = delete;

  /// In epoch 0, while blocks are still to come, an estimate: over the index of the batch after the
  /// one handed out last if and only if there is such a batch.
  int64_t batches(int64_t epoch);

  /// On the CPU. Waits for the batch's block. Throws std::out_of_range past the epoch's last batch.
  Batch batch(int64_t epoch, int64_t index);

 private:
  using Place = std::pair<int64_t, int64_t>;  // epoch, index

  void turn_to(int64_t epoch);
  bool planned() const { return planned_blocks_ == corpus_.blocks(); }
  void plan_more();
  void plan_up_to(int64_t index);
  void look_ahead(int64_t epoch, int64_t index);

  const GrowingCorpus& corpus_;
  int64_t batch_tokens_;
  int64_t seed_;
  int64_t epoch_ = -1;  // of plan_
  int64_t planned_blocks_ = 0;
  Plan plan_;
  int64_t next_index_ = 0;  // after the batch of epoch_ handed out last
  Place ahead_;
  std::future<Batch> next_;  // the batch at ahead_, where valid
};

}  // namespace heed::data
