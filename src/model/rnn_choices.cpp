#include "model/rnn_choices.h"

#include "model/choices.h"

namespace heed::model {

nn::CellOptions cell_options(const config::Model& config, int64_t in) {
  return {
      .type = config.rnn.cell == "lstm" ? nn::CellType::kLstm : nn::CellType::kGru,
      .in = in,
      .width = config.d_model,
      .layer_norm = config.rnn.layer_norm,
      .state_dropout = config.rnn.state_dropout,
      .init = init(config),
  };
}

nn::MemoryAttentionOptions memory_attention_options(const config::Model& config) {
  const auto& name = config.rnn.attention;
  return {
      .score = name == "dot"       ? nn::Score::kDot
               : name == "general" ? nn::Score::kGeneral
                                   : nn::Score::kAdditive,
      .d_model = config.d_model,
      .dropout = config.attention.dropout,
      .init = init(config),
  };
}

StateInit state_init(const config::Model& config) {
  if (config.rnn.init == "zero") return StateInit::kZero;
  return config.rnn.init == "last" ? StateInit::kLast : StateInit::kBridge;
}

std::string training_path(const config::Model& config, torch::Device device) {
  const bool state_dropout = config.rnn.state_dropout > 0.0;
  const auto path =
      nn::recurrence_path(device, torch::kFloat, config.rnn.layer_norm, state_dropout);
  std::string plain = "plain cells";
  if (config.rnn.layer_norm) {
    plain += " for layer norm";
  } else if (state_dropout && path == nn::RecurrencePath::kExplicit) {
    plain += " for state dropout";
  }
  const std::string cells = path == nn::RecurrencePath::kFused     ? "fused cells"
                            : path == nn::RecurrencePath::kLibrary ? "cuDNN's cells"
                                                                   : plain;
  if (!config.rnn.input_feeding) return "whole sequences, " + cells;
  const std::string decoder = "the decoder step by step for input feeding, ";
  if (path != nn::RecurrencePath::kLibrary) {
    return "the encoder whole sequences, " + decoder + cells;
  }
  return "the encoder whole sequences, " + cells + ", " + decoder + plain;
}

}  // namespace heed::model
