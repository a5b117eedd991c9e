#include "decode/rescore.h"

#include <algorithm>

#include <c10/core/InferenceMode.h>

namespace heed::decode {
namespace {

/// begin and the target without its last token: what the decoder reads.
model::Sequences shifted(const std::vector<std::vector<int64_t>>& targets, int64_t begin,
                         int64_t longest) {
  const auto batch = std::ssize(targets);
  const auto ids = torch::zeros({batch, longest}, torch::kLong);  // [B, Tt]
  const auto lengths = torch::empty({batch}, torch::kLong);       // [B]
  for (int64_t row = 0; row < batch; ++row) {
    auto* out = ids.data_ptr<int64_t>() + row * longest;
    *out = begin;
    std::copy(targets[row].begin(), targets[row].end() - 1, out + 1);
    lengths.data_ptr<int64_t>()[row] = std::ssize(targets[row]);
  }
  return {.ids = ids, .lengths = lengths};
}

}  // namespace

std::vector<std::vector<double>> rescore(model::EncoderDecoder& model, const model::Memory& memory,
                                         const std::vector<std::vector<int64_t>>& targets,
                                         int64_t begin, model::Trace* trace,
                                         const nn::CacheOptions& caches) {
  const c10::InferenceMode inference;
  int64_t longest = 0;
  for (const auto& target : targets) {
    TORCH_CHECK(!target.empty(), "a target without tokens has no score");
    longest = std::max<int64_t>(longest, std::ssize(target));
  }

  auto target_in = shifted(targets, begin, longest);
  target_in.ids = target_in.ids.to(memory.features.device());
  target_in.trace = trace;
  target_in.caches = caches;
  const auto features = model.decode(target_in, memory);                              // [B, Tt, D]
  const auto log_p = model.logits(features).to(torch::kFloat).log_softmax(-1).cpu();  // [B, Tt, V]

  std::vector<std::vector<double>> scores;
  const auto at = log_p.accessor<float, 3>();
  for (int64_t row = 0; row < std::ssize(targets); ++row) {
    auto& of_row = scores.emplace_back();
    for (int64_t t = 0; t < std::ssize(targets[row]); ++t) {
      of_row.push_back(at[row][t][targets[row][t]]);
    }
  }
  return scores;
}

}  // namespace heed::decode
