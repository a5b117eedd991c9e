#include "train/updater.h"

#include <chrono>
#include <cmath>
#include <new>
#include <thread>

#include "base/error.h"
#include "support/catch.h"
#include "support/close.h"
#include "train/micro_batches.h"
#include "train/tiny.h"

namespace heed::train {
namespace {

using test::max_diff;

TEST_CASE("accumulation changes no weight, however unevenly lengths fall",
          "[train][updater][property]") {
  const bool labels = GENERATE(false, true);
  auto config = test::tiny_config();
  config.train.label_smoothing = 0.1;
  config.model.dropout = GENERATE(0.0, 0.3);
  const auto batch = test::batch_of(test::tiny_examples(8, 3, labels));
  const auto trained = [&](int64_t parts) {
    std::unique_ptr<Objective> objective;
    if (labels) {
      objective = test::tiny_classifier(config);
    } else {
      objective = test::tiny_translator(config);
    }
    objective->module().train();
    // The first update of Adam is the sign of the gradient; SGD-like eps shows its size.
    config.train.adam_eps = 1.0;
    checkpoint::Progress progress;
    Updater updater(*objective, progress, config, torch::kCPU);
    const auto report = updater.step(split(batch, parts), 0.01, "none");
    return std::pair(report.loss, test::weights_of(*objective));
  };
  const auto [loss, whole] = trained(1);
  for (const int64_t parts : {2, 3, 8}) {
    CAPTURE(parts, labels);
    const auto [parts_loss, weights] = trained(parts);
    REQUIRE(std::abs(parts_loss - loss) < 1e-5);
    for (const auto& [name, tensor] : whole) {
      CAPTURE(name);
      REQUIRE(max_diff(tensor, weights.at(name)) < 1e-6);
    }
  }
}

/// Gives each batch the loss it is told: `loss` per target token.
class FixedLoss final : public Objective {
 public:
  torch::nn::Module& module() override { return module_; }
  int64_t predictions(const data::Batch& batch) const override { return batch.target_tokens; }
  int64_t tokens(const data::Batch& batch) const override { return batch.target_tokens; }
  LossSums forward(const data::Batch& batch, const nn::Noise*) override {
    const double each = batch.target_tokens == 1 ? 4.0 : 1.0;
    const auto sum = module_.weight.sum() * each * static_cast<double>(batch.target_tokens);
    return {.loss = sum, .nll = sum.detach(), .correct = torch::zeros({}, torch::kInt64)};
  }

 private:
  struct Module : torch::nn::Module {
    torch::Tensor weight = register_parameter("weight", torch::ones({1}));
  };
  Module module_;
};

TEST_CASE("the loss of a step is per target token of all its micro-batches",
          "[train][updater][unit]") {
  FixedLoss objective;
  checkpoint::Progress progress;
  Updater updater(objective, progress, test::tiny_config(), torch::kCPU);
  data::Example one, three;
  one.source = three.source = {5};
  three.target = {5, 6};  // and EOS
  const auto report = updater.step({test::batch_of({one}), test::batch_of({three})}, 0.01, "none");
  REQUIRE(report.tokens == 4);
  REQUIRE(std::abs(report.loss - 1.75) < 1e-6);
}

/// An objective whose forward pass takes 20 ms longer.
class SlowObjective final : public Objective {
 public:
  explicit SlowObjective(Objective& inner) : inner_(inner) {}
  torch::nn::Module& module() override { return inner_.module(); }
  int64_t predictions(const data::Batch& batch) const override { return inner_.predictions(batch); }
  int64_t tokens(const data::Batch& batch) const override { return inner_.tokens(batch); }
  LossSums forward(const data::Batch& batch, const nn::Noise* noise) override {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return inner_.forward(batch, noise);
  }

 private:
  Objective& inner_;
};

TEST_CASE("time goes to the phase that took it", "[train][updater][unit]") {
  const auto objective = test::tiny_translator(test::tiny_config());
  SlowObjective slow(*objective);
  checkpoint::Progress progress;
  Updater updater(slow, progress, test::tiny_config(), torch::kCPU);
  const auto batch = test::batch_of(test::tiny_examples(6, 1, false));
  Stopwatch whole;
  const auto phases = updater.step(split(batch, 2), 0.01, "none").phases;
  const double seconds = whole.lap();
  REQUIRE(phases.forward >= 0.040);
  REQUIRE(phases.backward > 0.0);
  REQUIRE(phases.update > 0.0);
  REQUIRE(phases.data == 0.0);
  REQUIRE(phases.total() <= seconds);
}

TEST_CASE("every so many steps each tensor is looked at", "[train][updater][unit]") {
  auto config = test::tiny_config();
  config.log.watch_every = 2;
  const auto objective = test::tiny_translator(config);
  checkpoint::Progress progress;
  Updater updater(*objective, progress, config, torch::kCPU);
  const auto batch = test::batch_of(test::tiny_examples(6, 1, false));
  REQUIRE(updater.step({batch}, 0.01, "none").tensors.empty());
  const auto second = updater.step({batch}, 0.01, "none");
  REQUIRE(second.tensors.size() == parameters_of(objective->module()).size());
  double square = 0.0;
  for (const auto& tensor : second.tensors) {
    square += tensor.grad_norm * tensor.grad_norm;
    REQUIRE(tensor.update_ratio > 0.0);
  }
  REQUIRE(std::abs(std::sqrt(square) - second.grad_norm) < 1e-4 * second.grad_norm);
}

/// Runs out of memory, as LibTorch does, where a batch has more rows than fit.
class HungryObjective final : public Objective {
 public:
  HungryObjective(Objective& inner, int64_t rows) : inner_(inner), rows_(rows) {}
  torch::nn::Module& module() override { return inner_.module(); }
  int64_t predictions(const data::Batch& batch) const override { return inner_.predictions(batch); }
  int64_t tokens(const data::Batch& batch) const override { return inner_.tokens(batch); }
  LossSums forward(const data::Batch& batch, const nn::Noise* noise) override {
    if (batch.size() > rows_) throw std::bad_alloc();
    return inner_.forward(batch, noise);
  }

 private:
  Objective& inner_;
  int64_t rows_;
};

TEST_CASE("memory that runs out names step and shape", "[train][updater][unit]") {
  auto config = test::tiny_config();
  config.train.on_oom = GENERATE(as<std::string>{}, "stop", "split");
  const auto objective = test::tiny_translator(config);
  HungryObjective hungry(*objective, 0);
  checkpoint::Progress progress;
  Updater updater(hungry, progress, config, torch::kCPU);
  const auto batch = test::batch_of(test::tiny_examples(6, 1, false));
  const auto* rows = config.train.on_oom == "stop" ? "6" : "1";  // as far as it could be split
  try {
    updater.step({batch}, 0.01, "step-000007");
    FAIL("went on");
  } catch (const Error& error) {
    REQUIRE_THAT(error.what(), test::ContainsSubstring(std::string("step 1: out of memory with ") +
                                                       rows + " texts of"));
    REQUIRE_THAT(error.what(), test::ContainsSubstring("step-000007"));
  }
}

TEST_CASE("a step that is split to fit gives the gradient of the whole",
          "[train][updater][property]") {
  auto config = test::tiny_config();
  config.train.on_oom = "split";
  config.train.adam_eps = 1.0;
  config.model.dropout = 0.3;
  const auto batch = test::batch_of(test::tiny_examples(9, 3, false));
  const auto trained = [&](int64_t rows) {
    const auto objective = test::tiny_translator(config);
    objective->module().train();
    HungryObjective hungry(*objective, rows);
    checkpoint::Progress progress;
    Updater updater(hungry, progress, config, torch::kCPU);
    updater.step({batch}, 0.01, "none");
    return test::weights_of(*objective);
  };
  const auto whole = trained(9);
  for (const int64_t rows : {1, 2, 5}) {
    for (const auto& [name, tensor] : trained(rows)) {
      CAPTURE(rows, name);
      REQUIRE(max_diff(tensor, whole.at(name)) < 1e-6);
    }
  }
}

TEST_CASE("what diverges is named with its lines and its first operation",
          "[train][updater][unit]") {
  const auto config = test::tiny_config();
  const auto objective = test::tiny_translator(config);
  {
    const torch::NoGradGuard no_grad;
    for (auto& item : objective->module().named_parameters()) {
      if (item.key().find("decoder") != std::string::npos && item.value().dim() > 1) {
        item.value().fill_(std::nan(""));
        break;
      }
    }
  }
  checkpoint::Progress progress;
  Updater updater(*objective, progress, config, torch::kCPU);
  try {
    updater.step({test::batch_of(test::tiny_examples(3, 1, false))}, 0.01, "step-000009");
    FAIL("went on");
  } catch (const DivergenceError& error) {
    REQUIRE_THAT(error.what(), test::ContainsSubstring("step 1: "));
    REQUIRE_THAT(error.what(), test::ContainsSubstring("lines 1, 2, 3;"));
    REQUIRE_THAT(error.what(), test::ContainsSubstring("first in aten::"));
    REQUIRE_THAT(error.what(), test::ContainsSubstring("decoder"));
    REQUIRE_THAT(error.what(), test::ContainsSubstring("step-000009"));
  }
  REQUIRE(progress.step == 0);
}

TEST_CASE("fp16 leaves out the update of an overflow, and counts it", "[train][updater][train]") {
  auto config = test::tiny_config();
  config.train.precision = "fp16";
  const auto objective = test::tiny_translator(config);
  objective->module().train();
  test::FaultyObjective faulty(*objective, 2);
  checkpoint::Progress progress;
  Updater updater(faulty, progress, config, torch::kCPU);
  const auto batch = test::batch_of(test::tiny_examples(6, 1, false));
  const double first = updater.step({batch}, 0.01, "none").loss;
  const auto before = test::weights_of(*objective);
  const auto skipped = updater.step({batch}, 0.01, "none");
  REQUIRE(skipped.skipped);
  REQUIRE(progress.step == 1);
  REQUIRE(progress.skipped == 1);
  REQUIRE(progress.loss_scale == 32768.0);
  REQUIRE(test::same(before, test::weights_of(*objective)));

  double loss = first;
  for (int step = 0; step < 100; ++step) loss = updater.step({batch}, 0.01, "none").loss;
  REQUIRE(progress.step == 101);
  REQUIRE(loss < first / 4.0);
}

TEST_CASE("fp16 gives up where no scale is left, with advice", "[train][updater][unit]") {
  auto config = test::tiny_config();
  config.train.precision = "fp16";
  const auto objective = test::tiny_translator(config);
  test::FaultyObjective faulty(*objective, 1);
  checkpoint::Progress progress;
  progress.loss_scale = 1.0;
  Updater updater(faulty, progress, config, torch::kCPU);
  const auto batch = test::batch_of(test::tiny_examples(6, 1, false));
  REQUIRE_THROWS_WITH(updater.step({batch}, 0.01, "none"),
                      test::ContainsSubstring("train.precision fp32"));
}

}  // namespace
}  // namespace heed::train
