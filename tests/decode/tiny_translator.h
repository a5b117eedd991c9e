#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "decode/beam.h"
#include "decode/model_scorer.h"
#include "model/build.h"

namespace heed::test {

inline constexpr int64_t kPieces = 40;

/// A random model of translation whose answers end: d_model 16, 2 heads, 2 + 2 layers.
inline std::shared_ptr<model::EncoderDecoder> tiny_translator(uint64_t seed) {
  config::Model config{.d_model = 16, .heads = 2, .d_ff = 32, .enc_layers = 2, .dec_layers = 2};
  const model::Sizes sizes{.source_pieces = kPieces, .target_pieces = kPieces, .max_len = 40};
  auto model = model::build_encoder_decoder(config, sizes, seed);
  model->eval();
  const torch::NoGradGuard no_grad;
  for (auto& parameter : model->parameters()) parameter.mul_(1.6);  // decided, not uniform
  return model;
}

/// `count` sources of `shortest` to `longest` random tokens and EOS.
inline std::vector<std::vector<int64_t>> random_sources(int64_t count, int64_t shortest,
                                                        int64_t longest) {
  std::vector<std::vector<int64_t>> sources;
  for (int64_t i = 0; i < count; ++i) {
    const auto length = shortest + i % (longest - shortest + 1);
    const auto ids = torch::randint(4, kPieces, {length}, torch::kLong);
    sources.emplace_back(ids.data_ptr<int64_t>(), ids.data_ptr<int64_t>() + length);
    sources.back().push_back(3);
  }
  return sources;
}

inline model::Sequences padded(const std::vector<std::vector<int64_t>>& rows) {
  int64_t longest = 0;
  for (const auto& row : rows) longest = std::max<int64_t>(longest, std::ssize(row));
  auto ids = torch::zeros({std::ssize(rows), longest}, torch::kLong);
  auto lengths = torch::empty({std::ssize(rows)}, torch::kLong);
  for (int64_t i = 0; i < std::ssize(rows); ++i) {
    ids[i].narrow(0, 0, std::ssize(rows[i])).copy_(torch::tensor(rows[i], torch::kLong));
    lengths[i] = std::ssize(rows[i]);
  }
  return {.ids = ids, .lengths = lengths};
}

/// Best hypotheses of these sources as one batch; at most twice the source's length.
inline std::vector<std::vector<decode::Hypothesis>> search(
    model::EncoderDecoder& model, const std::vector<std::vector<int64_t>>& sources,
    const decode::SearchOptions& options) {
  const torch::NoGradGuard no_grad;
  std::vector<int64_t> limits;
  for (const auto& source : sources) {
    limits.push_back(std::min<int64_t>(2 * std::ssize(source), 40));
  }
  const auto memory = model.encode(padded(sources));
  decode::ModelScorer scorer(model, memory, *std::ranges::max_element(limits));
  return decode::beam_search(scorer, limits, options);
}

}  // namespace heed::test
