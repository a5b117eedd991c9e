#include "data/loader.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <stdexcept>

namespace heed::data {
namespace {

Batch collate_places(const GrowingCorpus& corpus, const std::vector<int64_t>& places,
                     int64_t epoch) {
  std::vector<Example> examples;
  for (const auto place : places) examples.push_back(corpus.example(place, epoch));
  std::vector<const Example*> chosen;
  for (const auto& example : examples) chosen.push_back(&example);
  return collate(chosen);
}

}  // namespace

Loader::Loader(const GrowingCorpus& corpus, int64_t batch_tokens, int64_t seed)
    : corpus_(corpus), batch_tokens_(batch_tokens), seed_(seed) {
  if (corpus.lines() == 0) throw std::logic_error("a loader needs an example");
}

Loader::~Loader() = default;  // the future of std::async waits for its thread

int64_t Loader::batches(int64_t epoch) {
  turn_to(epoch);
  plan_up_to(next_index_);
  while (!planned() && corpus_.ready(planned_blocks_)) plan_more();
  const auto known = std::ssize(plan_);
  if (planned()) return known;
  return std::max(known + 1, known * corpus_.blocks() / planned_blocks_);
}

Batch Loader::batch(int64_t epoch, int64_t index) {
  const Place place{epoch, index};
  turn_to(epoch);
  plan_up_to(index);
  const bool ready = next_.valid() && ahead_ == place;
  auto batch = ready ? next_.get()
                     : collate_places(corpus_, plan_.at(static_cast<std::size_t>(index)), epoch);
  next_index_ = index + 1;
  look_ahead(epoch, index + 1);
  return batch;
}

void Loader::turn_to(int64_t epoch) {
  if (epoch_ == epoch) return;
  epoch_ = epoch;
  planned_blocks_ = 0;
  next_index_ = 0;
  plan_.clear();
}

/// The next block of epoch 0, or all of a later one.
void Loader::plan_more() {
  if (epoch_ == 0) {
    const auto first = corpus_.first(planned_blocks_);
    auto more =
        plan(corpus_.shapes(planned_blocks_), batch_tokens_, seed_, /*epoch=*/0, planned_blocks_);
    for (auto& batch : more) {
      for (auto& place : batch) place += first;
      plan_.push_back(std::move(batch));
    }
    ++planned_blocks_;
    return;
  }
  std::vector<Shape> shapes;
  for (int64_t block = 0; block < corpus_.blocks(); ++block) {
    std::ranges::copy(corpus_.shapes(block), std::back_inserter(shapes));
  }
  plan_ = plan(shapes, batch_tokens_, seed_, epoch_);
  planned_blocks_ = corpus_.blocks();
}

/// Far enough to know whether there is such a batch.
void Loader::plan_up_to(int64_t index) {
  while (!planned() && std::ssize(plan_) <= index) plan_more();
}

/// Never waits for a block.
void Loader::look_ahead(int64_t epoch, int64_t index) {
  if (!planned() && std::ssize(plan_) <= index && corpus_.ready(planned_blocks_)) plan_more();
  if (index >= std::ssize(plan_)) return;
  ahead_ = {epoch, index};
  next_ = std::async(std::launch::async, [this, epoch, places = plan_[index]] {
    return collate_places(corpus_, places, epoch);
  });
}

}  // namespace heed::data
