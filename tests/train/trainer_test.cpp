#include "train/trainer.h"

#include <signal.h>

#include "base/error.h"
#include "base/signals.h"
#include "checkpoint/scratch.h"
#include "support/catch.h"
#include "support/close.h"
#include "train/micro_batches.h"
#include "train/saver.h"
#include "train/tiny.h"

namespace heed::train {
namespace {

using test::max_diff;
using test::ScratchDirectory;

/// Copies what the trainer saves, as a disk would.
checkpoint::Checkpoint copy_of(const checkpoint::Checkpoint& checkpoint) {
  auto copy = checkpoint;
  for (auto* tensors : {&copy.model, &copy.optimizer}) {
    for (auto& [name, tensor] : *tensors) tensor = tensor.clone();
  }
  return copy;
}

TEST_CASE("a translator learns one batch by heart", "[train][trainer][train]") {
  const auto config = test::tiny_config();
  const auto objective = test::tiny_translator(config);
  test::TinySource source(test::tiny_examples(6, 1, /*labels=*/false), 6);
  Trainer trainer(*objective, source, config, torch::kCPU, {});
  double loss = 1.0;
  for (int step = 0; step < 400 && loss >= 0.01; ++step) {
    loss = trainer.step({source.batch(0, 0)}).loss;
  }
  REQUIRE(loss < 0.01);
}

TEST_CASE("a classifier learns one batch by heart", "[train][trainer][train]") {
  auto config = test::tiny_config();
  config.task = "classify";
  const auto objective = test::tiny_classifier(config);
  test::TinySource source(test::tiny_examples(6, 1, /*labels=*/true), 6);
  Trainer trainer(*objective, source, config, torch::kCPU, {});
  double loss = 1.0;
  for (int step = 0; step < 400 && loss >= 0.01; ++step) {
    loss = trainer.step({source.batch(0, 0)}).loss;
  }
  REQUIRE(loss < 0.01);
}

TEST_CASE("accumulation changes no weight, however unevenly lengths fall",
          "[train][trainer][property]") {
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
    test::TinySource source({}, 1);
    // The first update of Adam is the sign of the gradient; SGD-like eps shows its size.
    config.train.adam_eps = 1.0;
    Trainer trainer(*objective, source, config, torch::kCPU, {});
    const auto report = trainer.step(split(batch, parts));
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
          "[train][trainer][unit]") {
  FixedLoss objective;
  test::TinySource source({}, 1);
  Trainer trainer(objective, source, test::tiny_config(), torch::kCPU, {});
  data::Example one, three;
  one.source = three.source = {5};
  three.target = {5, 6};  // and EOS
  const auto report = trainer.step({test::batch_of({one}), test::batch_of({three})});
  REQUIRE(report.tokens == 4);
  REQUIRE(std::abs(report.loss - 1.75) < 1e-6);
}

TEST_CASE("a gradient that is not finite reaches no weight, and the run names it",
          "[train][trainer][unit]") {
  const auto config = test::tiny_config();
  const auto objective = test::tiny_translator(config);
  test::FaultyObjective faulty(*objective, 5);
  test::TinySource source(test::tiny_examples(8, 1, false), 4);
  Hooks hooks;
  checkpoint::NamedTensors before;
  hooks.step = [&](const StepReport&) { before = test::weights_of(*objective); };
  hooks.last_checkpoint = [] { return "step-000004"; };
  Trainer trainer(faulty, source, config, torch::kCPU, hooks);
  try {
    trainer.run();
    FAIL("went on");
  } catch (const DivergenceError& error) {
    REQUIRE_THAT(error.what(), test::ContainsSubstring("step 5: the gradient of '"));
    REQUIRE_THAT(error.what(), test::ContainsSubstring("step-000004"));
  }
  REQUIRE(trainer.progress().step == 4);
  REQUIRE(test::same(before, test::weights_of(*objective)));
}

TEST_CASE("a rate that throws the weights away ends the run, and saves nothing of it",
          "[train][trainer][unit]") {
  auto config = test::tiny_config();
  config.train.lr = 1e39;
  config.train.max_steps = 50;
  config.checkpoint.every = 1;
  const ScratchDirectory run;
  const auto objective = test::tiny_translator(config);
  test::TinySource source(test::tiny_examples(8, 1, false), 4);
  Saver saver(run.path(), config);
  Hooks hooks;
  hooks.save = [&](const checkpoint::Checkpoint& checkpoint) { saver.save(checkpoint); };
  Trainer trainer(*objective, source, config, torch::kCPU, hooks);
  REQUIRE_THROWS_AS(trainer.run(), DivergenceError);
  for (const int64_t step : checkpoint::saved_steps(run.path())) {
    const auto saved = checkpoint::load(checkpoint::step_directory(run.path(), step), true);
    for (const auto& [name, tensor] : saved.model)
      REQUIRE(torch::isfinite(tensor).all().item<bool>());
  }
}

TEST_CASE("a run that stops anywhere and resumes ends bit-equal to a straight one",
          "[train][trainer][train]") {
  const auto accumulate = GENERATE(values<int64_t>({1, 3}));
  auto config = test::tiny_config();
  config.model.dropout = 0.3;
  config.model.attention.dropout = 0.1;
  config.train.schedule = "inverse_sqrt";
  config.train.warmup_steps = 6;
  config.train.accumulate = accumulate;
  config.train.max_steps = 15;  // 3 epochs of 5 steps
  const auto examples = test::tiny_examples(10, 1, false);

  const auto straight = test::tiny_translator(config);
  test::TinySource straight_source(examples, 2);
  std::vector<double> straight_losses;
  Hooks hooks;
  hooks.step = [&](const StepReport& report) { straight_losses.push_back(report.loss); };
  Trainer(*straight, straight_source, config, torch::kCPU, hooks).run();

  for (const int64_t stop : {3, 5, 8, 10, 14}) {
    CAPTURE(stop);
    const ScratchDirectory run;
    Saver saver(run.path(), config);
    test::TinySource source(examples, 2);
    std::vector<double> losses;
    Hooks saving;
    saving.step = [&](const StepReport& report) { losses.push_back(report.loss); };
    saving.save = [&](const checkpoint::Checkpoint& checkpoint) { saver.save(checkpoint); };

    auto first_config = config;
    first_config.train.max_steps = stop;
    const auto first = test::tiny_translator(config);
    Trainer(*first, source, first_config, torch::kCPU, saving).run();

    const auto second = test::tiny_translator(config);
    const auto dir = checkpoint::find(run.path(), "last");
    const auto loaded = checkpoint::load(dir, /*with_optimizer=*/true);
    checkpoint::load_into(second->module(), loaded.model, dir.string());
    Trainer resumed(*second, source, config, torch::kCPU, saving);
    resumed.resume(loaded, dir.string());
    resumed.run();

    REQUIRE(losses == straight_losses);
    REQUIRE(source.given == straight_source.given);
    REQUIRE(test::same(test::weights_of(*straight), test::weights_of(*second)));
  }
}

TEST_CASE("limits count over resumes", "[train][trainer][unit]") {
  auto config = test::tiny_config();
  config.train.max_epochs = 2;
  const auto objective = test::tiny_translator(config);
  test::TinySource source(test::tiny_examples(6, 1, false), 2);
  std::optional<checkpoint::Checkpoint> saved;
  Hooks hooks;
  hooks.save = [&](const checkpoint::Checkpoint& checkpoint) { saved = copy_of(checkpoint); };
  Trainer(*objective, source, config, torch::kCPU, hooks).run();
  REQUIRE(saved->progress.step == 6);
  REQUIRE(saved->progress.epoch == 2);

  Trainer finished(*objective, source, config, torch::kCPU, {});
  finished.resume(*saved, "here");
  finished.run();
  REQUIRE(finished.progress().step == 6);

  config.train.max_epochs = 3;
  Trainer longer(*objective, source, config, torch::kCPU, {});
  longer.resume(*saved, "here");
  longer.run();
  REQUIRE(longer.progress().step == 9);

  config.train.max_seconds = saved->progress.seconds / 2.0;
  Trainer late(*objective, source, config, torch::kCPU, {});
  late.resume(*saved, "here");
  late.run();
  REQUIRE(late.progress().step == 6);
}

TEST_CASE("patience ends a run that no longer gets better, and NaN is never better",
          "[train][trainer][unit]") {
  auto config = test::tiny_config();
  config.train.eval_every = 1;
  config.train.patience = 3;
  const auto objective = test::tiny_translator(config);
  test::TinySource source(test::tiny_examples(6, 1, false), 2);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> scores = {nan, 5.0, 9.0, 7.0, nan, 9.0, 99.0};
  std::vector<int64_t> saved;
  Hooks hooks;
  hooks.evaluate = [&](const checkpoint::Progress& progress) {
    return std::optional(scores.at(progress.step - 1));
  };
  hooks.save = [&](const checkpoint::Checkpoint& checkpoint) {
    saved.push_back(checkpoint.progress.step);
  };
  Trainer trainer(*objective, source, config, torch::kCPU, hooks);
  trainer.run();
  REQUIRE(trainer.progress().step == 6);
  REQUIRE(trainer.progress().best_step == 3);
  REQUIRE(trainer.progress().best_score == 9.0);
  REQUIRE(saved == std::vector<int64_t>{1, 2, 3, 4, 5, 6});
}

/// A new watch knows nothing of the signal of the one before, which other tests would see.
struct ForgetSignal {
  ~ForgetSignal() { const SignalWatch fresh; }
};

TEST_CASE("a signal ends the run after its step, saved", "[train][trainer][unit]") {
  const int signal = GENERATE(SIGINT, SIGTERM);
  const ForgetSignal forget;
  const SignalWatch watch;
  auto config = test::tiny_config();
  config.train.max_steps = 100;
  const auto objective = test::tiny_translator(config);
  test::TinySource source(test::tiny_examples(6, 1, false), 2);
  std::vector<int64_t> saved;
  int64_t evaluations = 0;
  Hooks hooks;
  hooks.step = [&](const StepReport& report) {
    if (report.step == 7) ::raise(signal);
  };
  hooks.evaluate = [&](const checkpoint::Progress&) {
    return std::optional<double>(++evaluations);
  };
  hooks.save = [&](const checkpoint::Checkpoint& checkpoint) {
    saved.push_back(checkpoint.progress.step);
  };
  config.train.eval_every = 7;
  Trainer trainer(*objective, source, config, torch::kCPU, hooks);
  try {
    trainer.run();
    FAIL("went on");
  } catch (const Stopped& stopped) {
    REQUIRE(stopped.signal == signal);
  }
  REQUIRE(saved == std::vector<int64_t>{7});
  REQUIRE(evaluations == 0);
}

TEST_CASE("an evaluation that a stop left out is made up for first", "[train][trainer][unit]") {
  auto config = test::tiny_config();
  config.train.eval_every = 4;
  config.train.max_steps = 5;
  const auto objective = test::tiny_translator(config);
  test::TinySource source(test::tiny_examples(6, 1, false), 2);
  std::vector<int64_t> evaluated;
  Hooks hooks;
  hooks.evaluate = [&](const checkpoint::Progress& progress) {
    evaluated.push_back(progress.step);
    return std::optional(1.0);
  };
  Trainer trainer(*objective, source, config, torch::kCPU, hooks);
  checkpoint::Checkpoint stopped;
  stopped.optimizer = Adam(parameters_of(objective->module()), {}).state();
  stopped.progress.step = 4;
  trainer.resume(stopped, "here");
  trainer.run();
  REQUIRE(evaluated == std::vector<int64_t>{4, 5});
}

TEST_CASE("no training goes on from an averaged checkpoint", "[train][trainer][unit]") {
  const auto config = test::tiny_config();
  const auto objective = test::tiny_translator(config);
  test::TinySource source(test::tiny_examples(6, 1, false), 2);
  Trainer trainer(*objective, source, config, torch::kCPU, {});
  REQUIRE_THROWS_AS(trainer.resume({}, "here"), CheckpointError);
}

/// Fails as LibTorch does when memory runs out.
class HungryObjective final : public Objective {
 public:
  explicit HungryObjective(Objective& inner) : inner_(inner) {}
  torch::nn::Module& module() override { return inner_.module(); }
  int64_t predictions(const data::Batch& batch) const override { return inner_.predictions(batch); }
  int64_t tokens(const data::Batch& batch) const override { return inner_.tokens(batch); }
  LossSums forward(const data::Batch&, const nn::Noise*) override { throw std::bad_alloc(); }

 private:
  Objective& inner_;
};

TEST_CASE("memory that runs out names step and shape", "[train][trainer][unit]") {
  const auto config = test::tiny_config();
  const auto objective = test::tiny_translator(config);
  HungryObjective hungry(*objective);
  test::TinySource source(test::tiny_examples(6, 1, false), 6);
  Trainer trainer(hungry, source, config, torch::kCPU, {});
  try {
    trainer.run();
    FAIL("went on");
  } catch (const Error& error) {
    REQUIRE_THAT(error.what(),
                 test::ContainsSubstring("step 1: out of memory with 6 texts of"));
  }
}

TEST_CASE("the same seed gives the same weights, another one others", "[train][trainer][train]") {
  auto config = test::tiny_config();
  config.model.dropout = 0.3;
  config.train.max_steps = 5;
  const auto trained = [&](int64_t seed) {
    config.seed = seed;
    const auto objective = test::tiny_translator(config);
    test::TinySource source(test::tiny_examples(6, 1, false), 2);
    Trainer(*objective, source, config, torch::kCPU, {}).run();
    return test::weights_of(*objective);
  };
  const auto weights = trained(1);
  REQUIRE(test::same(weights, trained(1)));
  REQUIRE(!test::same(weights, trained(2)));
}

}  // namespace
}  // namespace heed::train
