#pragma once

#include "model/examples.h"

/// Small recurrent models of every kind.
namespace heed::test {

inline constexpr int kRnnVariants = 7;

inline config::Model rnn_config(int variant) {
  config::Model config{
      .type = "rnn", .d_model = 8, .enc_layers = 2, .dec_layers = 2, .dropout = 0.3};
  config.rnn.cell = variant % 2 == 0 ? "gru" : "lstm";
  config.rnn.attention = variant % 3 == 0 ? "additive" : variant % 3 == 1 ? "dot" : "general";
  config.rnn.init = variant % 3 == 2 ? "last" : variant == 4 ? "zero" : "bridge";
  config.rnn.input_feeding = variant == 1 || variant == 2 || variant == 6;
  config.rnn.layer_norm = variant == 5 || variant == 6;
  config.rnn.bidirectional = variant != 3;
  config.rnn.state_dropout = variant < 3 ? 0.2 : 0.0;
  config.attention.dropout = variant == 3 ? 0.2 : 0.0;
  config.tie = variant == 0 ? "all" : variant == 1 ? "softmax" : "none";
  config.vocab_rows = variant == 1 ? 16 : 0;
  return config;
}

inline std::shared_ptr<model::EncoderDecoder> rnn_translator(int variant, uint64_t seed = 1) {
  auto model = model::build_encoder_decoder(rnn_config(variant), translator_sizes(), seed);
  model->eval();
  return model;
}

}  // namespace heed::test
