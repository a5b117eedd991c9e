#pragma once

#include <memory>
#include <vector>

#include "model/encoder_decoder.h"

namespace heed::test {

/// Which source and how far, for every hypothesis of EchoModel.
class EchoState final : public model::DecoderState {
 public:
  explicit EchoState(const torch::Tensor& features) : features_(features) {
    for (int64_t row = 0; row < features.size(0); ++row) sources_.push_back(row);
  }

  int64_t rows() const override { return std::ssize(sources_); }
  int64_t memory_rows() const override { return features_.size(0); }
  int64_t position() const override { return position_; }

  void select(const torch::Tensor& rows, const torch::Tensor&) override {
    std::vector<int64_t> kept;
    for (int64_t i = 0; i < rows.size(0); ++i) {
      kept.push_back(sources_.at(rows[i].item<int64_t>()));
    }
    sources_ = std::move(kept);
  }

  torch::Tensor next() {
    const auto at = std::min(position_++, features_.size(1) - 1);
    return features_.select(1, at).index_select(0, torch::tensor(sources_, torch::kLong));
  }

 private:
  torch::Tensor features_;        // [B, Ts, V], of sources
  std::vector<int64_t> sources_;  // by hypothesis
  int64_t position_ = 0;
};

/// Writes what it reads: the answer to a sentence is known.
class EchoModel final : public model::EncoderDecoder {
 public:
  explicit EchoModel(int64_t pieces) : pieces_(pieces) {}

  model::Memory encode(const model::Sequences& source) override {
    longest_batch = std::max(longest_batch, source.ids.size(0));
    return {torch::one_hot(source.ids, pieces_).to(torch::kFloat), source.lengths};
  }
  torch::Tensor decode(const model::Sequences& target_in, const model::Memory& memory) override {
    return memory.features.narrow(1, 0, target_in.ids.size(1));
  }
  std::unique_ptr<model::DecoderState> start(const model::Memory& memory, int64_t,
                                             const nn::CacheOptions&) override {
    return std::make_unique<EchoState>(memory.features);
  }
  torch::Tensor step(const torch::Tensor&, model::DecoderState& state) override {
    return dynamic_cast<EchoState&>(state).next();
  }
  torch::Tensor output_weight() const override { return torch::eye(pieces_); }
  torch::Tensor output_bias() const override { return {}; }
  torch::Tensor logits(const torch::Tensor& features) const override { return features * 20.0; }

  int64_t longest_batch = 0;

 private:
  int64_t pieces_;
};

}  // namespace heed::test
