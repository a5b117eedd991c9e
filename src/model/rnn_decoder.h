#pragma once

#include <memory>
#include <vector>

#include "config/model.h"
#include "model/encoder_decoder.h"
#include "model/rnn_choices.h"
#include "model/rnn_state.h"
#include "nn/embedding.h"
#include "nn/recurrent/packing.h"

namespace heed::model {

/// The recurrent decoder (Bahdanau et al., 2015; Luong et al., 2015, figure 2):
///
///   s_t = cells(y_t, s_{t-1}),  c_t = attention(s_t, memory),  features = tanh(W [s_t; c_t] + b)
///
/// Input feeding (Luong et al., 2015, section 3.3) hands the features of token t to the cells at
/// t + 1. Without it nothing of a step but the cells waits for the step before, so teacher forcing
/// runs whole sequences.
class RnnDecoderImpl final : public torch::nn::Module {
 public:
  RnnDecoderImpl(const config::Model& config, nn::Embedding embedding);

  /// Teacher forcing: ids [B, Tt] -> features [B, Tt, D]; padding is not read
  torch::Tensor forward(const Sequences& target_in, const Memory& memory) const;

  std::unique_ptr<RnnState> start(const Memory& memory) const;

  /// ids int64 [rows] -> features [rows, D]; extends `state`
  torch::Tensor step(const torch::Tensor& ids, RnnState& state) const;

 private:
  struct Reading;  // of one pass over targets

  RnnRows first_rows(const Memory& memory) const;
  nn::ProjectedMemory project(const Memory& memory) const;
  torch::Tensor between(std::size_t layer, const torch::Tensor& x, const nn::Noise* noise) const;
  torch::Tensor features(const torch::Tensor& states, const torch::Tensor& context,
                         const nn::Noise* noise) const;
  torch::Tensor whole(const Reading& reading) const;
  torch::Tensor step_by_step(const Reading& reading) const;

  /// One token of the first rows: gates [n, G D] of the first layer. Changes `rows`.
  torch::Tensor advance(torch::Tensor gates, RnnRows& rows, const nn::ProjectedMemory& memory,
                        const std::vector<torch::Tensor>& state_masks, const nn::Noise* noise,
                        nn::AttentionParts* parts) const;

  StateInit init_;
  bool bidirectional_;  // the memory
  nn::Embedding embedding_;
  nn::Dropout embedding_dropout_{nullptr};
  std::vector<nn::Cell> layers_;
  std::vector<nn::Dropout> dropouts_;  // between two layers
  nn::Linear bridge_{nullptr};         // to the first state of every layer
  nn::Linear feed_{nullptr};           // the last features' share of the first layer's gates
  nn::MemoryAttention attention_{nullptr};
  nn::Dropout state_dropout_{nullptr};  // of state and context
  nn::Linear readout_{nullptr};
};
TORCH_MODULE(RnnDecoder);

}  // namespace heed::model
