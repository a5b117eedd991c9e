#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "config/model.h"
#include "model/encoder_decoder.h"
#include "model/token_input.h"
#include "nn/decoder_layer.h"

namespace heed::model {

/// What a Transformer decoder keeps between steps: keys and values of its own tokens for each
/// hypothesis, and those of the source, projected once, for each memory row.
class TransformerState final : public DecoderState {
 public:
  struct Layer {
    std::unique_ptr<nn::AttentionCache> own;
    std::unique_ptr<nn::AttentionCache> memory;
  };

  TransformerState(std::vector<Layer> layers, int64_t memory_rows, torch::Device device)
      : layers_(std::move(layers)),
        rows_(memory_rows),
        memory_rows_(memory_rows),
        device_(device) {}

  int64_t rows() const override { return rows_; }
  int64_t memory_rows() const override { return memory_rows_; }
  int64_t position() const override { return layers_.front().own->past(); }
  void select(const torch::Tensor& rows, const torch::Tensor& memory_rows) override;

  const Layer& layer(std::size_t index) const { return layers_[index]; }

 private:
  std::vector<Layer> layers_;
  int64_t rows_;
  int64_t memory_rows_;
  torch::Device device_;
};

/// The decoder (Vaswani et al., 2017, section 3.1); pre-norm brings one more norm at its end.
class TransformerDecoderImpl final : public torch::nn::Module {
 public:
  /// max_len: tokens of a text, special tokens included
  TransformerDecoderImpl(const config::Model& config, nn::Embedding embedding, int64_t max_len);

  /// Teacher forcing: ids [B, Tt] -> features [B, Tt, D]
  torch::Tensor forward(const Sequences& target_in, const Memory& memory) const;

  std::unique_ptr<TransformerState> start(const Memory& memory, int64_t max_len,
                                          const nn::CacheOptions& options = {}) const;

  /// ids int64 [rows] -> features [rows, D]; extends `state`
  torch::Tensor step(const torch::Tensor& ids, TransformerState& state) const;

 private:
  torch::Tensor finish(const torch::Tensor& x) const;

  TokenInput input_{nullptr};
  std::vector<nn::DecoderLayer> layers_;
  std::shared_ptr<nn::Norm> norm_;  // null for post-norm
};
TORCH_MODULE(TransformerDecoder);

}  // namespace heed::model
