#pragma once

#include <cstdint>
#include <future>
#include <optional>
#include <utility>
#include <vector>

#include "data/batch.h"

namespace heed::data {

/// The batches of a training by (epoch, index): what `plan` says, whenever and in whatever order
/// they are asked for. A background thread collates the batch of the epoch after the one handed
/// out; its faults are thrown by the call that asks for that batch. For one caller at a time.
class Loader {
 public:
  /// `examples` outlive it. Throws std::logic_error for no example.
  Loader(const std::vector<Example>& examples, int64_t batch_tokens, int64_t seed);
  ~Loader();
  Loader(const Loader&) = delete;
  Loader& operator=(const Loader&) = delete;

  int64_t batches(int64_t epoch);

  /// On the CPU. Throws std::out_of_range past the epoch's last batch.
  Batch batch(int64_t epoch, int64_t index);

 private:
  using Plan = std::vector<std::vector<int64_t>>;
  using Place = std::pair<int64_t, int64_t>;  // epoch, index

  const Plan& plan_of(int64_t epoch);
  void look_ahead(int64_t epoch, int64_t index);

  const std::vector<Example>& examples_;
  int64_t batch_tokens_;
  int64_t seed_;
  std::optional<int64_t> planned_epoch_;
  Plan plan_;
  Place ahead_;
  std::future<Batch> next_;  // the batch at ahead_, where valid
};

}  // namespace heed::data
