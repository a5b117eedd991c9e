#include "model/rnn_choices.h"

#include "model/rnn_examples.h"

namespace heed::model {
namespace {

TEST_CASE("the config's words become options of cells and attention",
          "[model][rnn_choices][unit]") {
  auto config = test::rnn_config(1);
  config.init = "small";
  const auto cell = cell_options(config, 12);
  REQUIRE(cell.type == nn::CellType::kLstm);
  REQUIRE(cell.in == 12);
  REQUIRE(cell.width == 8);
  REQUIRE(cell.state_dropout == 0.2);
  REQUIRE(cell.init == nn::Init::kSmall);
  REQUIRE(memory_attention_options(config).score == nn::Score::kDot);
  REQUIRE(memory_attention_options(test::rnn_config(2)).score == nn::Score::kGeneral);
  REQUIRE(memory_attention_options(test::rnn_config(3)).dropout == 0.2);
  REQUIRE(state_init(test::rnn_config(0)) == StateInit::kBridge);
  REQUIRE(state_init(test::rnn_config(2)) == StateInit::kLast);
  REQUIRE(state_init(test::rnn_config(4)) == StateInit::kZero);
}

TEST_CASE("training says which path it takes, and why", "[model][rnn_choices][unit]") {
  REQUIRE(training_path(test::rnn_config(0), torch::kCPU) == "whole sequences, fused cells");
  REQUIRE(training_path(test::rnn_config(5), torch::kCPU) ==
          "whole sequences, plain cells for layer norm");
  REQUIRE(training_path(test::rnn_config(3), torch::kCUDA) == "whole sequences, cuDNN's cells");
  REQUIRE(training_path(test::rnn_config(0), torch::kCUDA) ==
          "whole sequences, plain cells for state dropout");
  auto fed = test::rnn_config(1);
  fed.rnn.state_dropout = 0.0;
  REQUIRE(training_path(fed, torch::kCUDA) ==
          "the encoder whole sequences, cuDNN's cells, the decoder step by step for input feeding, "
          "plain cells");
  REQUIRE(training_path(test::rnn_config(1), torch::kCPU) ==
          "the encoder whole sequences, the decoder step by step for input feeding, fused cells");
}

}  // namespace
}  // namespace heed::model
