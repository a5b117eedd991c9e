#include "train/objective.h"

#include "support/catch.h"
#include "support/close.h"
#include "train/tiny.h"

namespace heed::train {
namespace {

using test::max_diff;

TEST_CASE("the real rows of a batch are those before each length", "[train][objective][unit]") {
  const auto rows = real_rows(torch::tensor({2, 0, 3}, torch::kInt64), 4);
  REQUIRE(torch::equal(rows, torch::tensor({0, 1, 8, 9, 10}, torch::kInt64)));
  REQUIRE(real_rows(torch::tensor({0, 0}, torch::kInt64), 4).numel() == 0);
}

TEST_CASE("the loss of a batch is the sum of its sentences' losses",
          "[train][objective][property]") {
  const bool labels = GENERATE(false, true);
  const auto config = test::tiny_config();
  std::unique_ptr<Objective> objective;
  if (labels) {
    objective = test::tiny_classifier(config);
  } else {
    objective = test::tiny_translator(config);
  }
  objective->module().eval();
  const torch::NoGradGuard no_grad;
  const auto examples = test::tiny_examples(7, 2, labels);
  double loss = 0.0, nll = 0.0;
  int64_t correct = 0, predictions = 0, tokens = 0;
  for (const auto& example : examples) {
    const auto alone = test::batch_of({example});
    const auto sums = objective->forward(alone, nullptr);
    loss += sums.loss.item<double>();
    nll += sums.nll.item<double>();
    correct += sums.correct.item<int64_t>();
    predictions += objective->predictions(alone);
    tokens += objective->tokens(alone);
  }
  const auto batch = test::batch_of(examples);
  const auto sums = objective->forward(batch, nullptr);
  REQUIRE(std::abs(sums.loss.item<double>() - loss) < 1e-3);
  REQUIRE(std::abs(sums.nll.item<double>() - nll) < 1e-3);
  REQUIRE(sums.correct.item<int64_t>() == correct);
  REQUIRE(objective->predictions(batch) == predictions);
  REQUIRE(objective->tokens(batch) == tokens);
}

TEST_CASE("what lies in padding changes neither loss nor gradient",
          "[train][objective][property]") {
  const auto config = test::tiny_config();
  const auto objective = test::tiny_translator(config);
  objective->module().eval();
  auto batch = test::batch_of(test::tiny_examples(5, 4, false));
  const auto gradient = [&] {
    objective->module().zero_grad();
    objective->forward(batch, nullptr).loss.backward();
    return parameters_of(objective->module())[0].value.grad().clone();
  };
  const auto before = gradient();
  const auto fill = [](torch::Tensor& ids, const torch::Tensor& lengths) {
    const auto places = torch::arange(ids.size(1)).unsqueeze(0);  // [1, T]
    ids = torch::where(places < lengths.unsqueeze(1), ids, 9);
  };
  fill(batch.source, batch.source_lengths);
  fill(batch.target_in, batch.target_lengths);
  fill(batch.target_out, batch.target_lengths);
  // The embedding of id 9 may gain a zero gradient, no more.
  REQUIRE(max_diff(before, gradient()) < 1e-6);
}

}  // namespace
}  // namespace heed::train
