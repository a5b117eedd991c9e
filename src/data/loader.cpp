#include "data/loader.h"

#include <cstddef>
#include <stdexcept>

#include "data/bucket.h"

namespace heed::data {
namespace {

Batch collate_places(const std::vector<Example>& examples, const std::vector<int64_t>& places) {
  std::vector<const Example*> chosen;
  for (const auto place : places) chosen.push_back(&examples[place]);
  return collate(chosen);
}

}  // namespace

Loader::Loader(const std::vector<Example>& examples, int64_t batch_tokens, int64_t seed)
    : examples_(examples), batch_tokens_(batch_tokens), seed_(seed) {
  if (examples.empty()) throw std::logic_error("a loader needs an example");
}

Loader::~Loader() = default;  // the future of std::async waits for its thread

int64_t Loader::batches(int64_t epoch) { return std::ssize(plan_of(epoch)); }

Batch Loader::batch(int64_t epoch, int64_t index) {
  const Place place{epoch, index};
  const bool ready = next_.valid() && ahead_ == place;
  auto batch = ready
                   ? next_.get()
                   : collate_places(examples_, plan_of(epoch).at(static_cast<std::size_t>(index)));
  look_ahead(epoch, index + 1);
  return batch;
}

const Loader::Plan& Loader::plan_of(int64_t epoch) {
  if (planned_epoch_ != epoch) {
    planned_epoch_.reset();
    plan_ = plan(examples_, batch_tokens_, seed_, epoch);
    planned_epoch_ = epoch;
  }
  return plan_;
}

void Loader::look_ahead(int64_t epoch, int64_t index) {
  if (index == batches(epoch)) return;
  ahead_ = {epoch, index};
  next_ = std::async(std::launch::async, [this, places = plan_of(epoch)[index]] {
    return collate_places(examples_, places);
  });
}

}  // namespace heed::data
