#include "train/validation.h"

#include "support/catch.h"
#include "train/tiny.h"

namespace heed::train {
namespace {

std::vector<data::Batch> batches_of(const std::vector<data::Example>& examples, std::size_t rows) {
  std::vector<data::Batch> batches;
  for (std::size_t first = 0; first < examples.size(); first += rows) {
    std::vector<const data::Example*> chosen;
    for (std::size_t i = first; i < std::min(first + rows, examples.size()); ++i) {
      chosen.push_back(&examples[i]);
    }
    batches.push_back(data::collate(chosen));
  }
  return batches;
}

TEST_CASE("the loss of the valid set doesn't depend on the batch size",
          "[train][validation][property]") {
  const bool labels = GENERATE(false, true);
  auto config = test::tiny_config();
  config.model.dropout = 0.5;
  config.train.label_smoothing = 0.1;
  std::unique_ptr<Objective> objective;
  if (labels) {
    objective = test::tiny_classifier(config);
  } else {
    objective = test::tiny_translator(config);
  }
  objective->module().train();
  auto examples = test::tiny_examples(20, 3, labels);
  for (std::size_t i = 0; i < examples.size(); ++i) {  // lengths 1 to 15
    examples[i].source.resize(1 + i % 15, 5);
    if (!labels) examples[i].target = examples[i].source;
  }
  const auto alone =
      validation_loss(*objective, batches_of(examples, 1), torch::kCPU, std::nullopt).value();
  REQUIRE(objective->module().is_training());
  REQUIRE(std::abs(alone.ppl() - std::exp(alone.nll)) < 1e-12);
  REQUIRE(alone.predictions > 0);
  for (const std::size_t rows : {7, 64}) {
    const auto together =
        validation_loss(*objective, batches_of(examples, rows), torch::kCPU, std::nullopt).value();
    REQUIRE(std::abs(together.loss - alone.loss) < 1e-5);
    REQUIRE(std::abs(together.nll - alone.nll) < 1e-5);
    REQUIRE(together.accuracy == alone.accuracy);
    REQUIRE(together.predictions == alone.predictions);
  }
}

TEST_CASE("nothing to predict gives zeros, and a stop gives nothing", "[train][validation][unit]") {
  const auto objective = test::tiny_translator(test::tiny_config());
  const auto none = validation_loss(*objective, {}, torch::kCPU, std::nullopt).value();
  REQUIRE(none.loss == 0.0);
  REQUIRE(none.predictions == 0);
  const auto batches = batches_of(test::tiny_examples(4, 1, false), 2);
  REQUIRE(!validation_loss(*objective, batches, torch::kCPU, std::nullopt, [] { return true; }));
}

}  // namespace
}  // namespace heed::train
