#include "pipeline/source_batch.h"

#include "data/batch.h"

namespace heed::pipeline {

model::Sequences source_batch(const std::vector<EncodedLine>& lines,
                              const std::vector<int64_t>& places, torch::Device device) {
  std::vector<data::Example> examples;
  for (const auto place : places) {
    examples.push_back({.source = lines[place].ids, .target = {}, .label = -1, .index = place});
  }
  std::vector<const data::Example*> pointers;
  for (const auto& example : examples) pointers.push_back(&example);
  const auto batch = data::collate(pointers);
  return {.ids = batch.source.to(device), .lengths = batch.source_lengths};
}

}  // namespace heed::pipeline
