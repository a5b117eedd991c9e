#include "train/trainer.h"

#include <signal.h>

#include <filesystem>
#include <system_error>

#include "base/error.h"
#include "base/signals.h"
#include "support/catch.h"
#include "support/close.h"
#include "support/scratch.h"
#include "train/adam.h"
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

TEST_CASE("a share of the epochs decays like a share of the steps", "[train][trainer][unit]") {
  auto config = test::tiny_config();
  config.train.schedule = "constant";
  config.train.warmup_steps = 0;
  config.train.lr = 0.01;
  config.train.decay_steps = 0.5;
  config.train.max_epochs = 2;
  const auto objective = test::tiny_translator(config);
  test::TinySource source(test::tiny_examples(8, 1, false), 2);  // 4 steps an epoch
  std::vector<double> rates;
  Hooks hooks;
  hooks.step = [&](const StepReport& report) { rates.push_back(report.lr); };
  Trainer(*objective, source, config, torch::kCPU, hooks).run();

  const std::vector<double> expected = {0.01, 0.01, 0.01, 0.01, 0.01, 0.0075, 0.005, 0.0025};
  REQUIRE(rates.size() == expected.size());
  for (std::size_t i = 0; i < rates.size(); ++i) REQUIRE(std::abs(rates[i] - expected[i]) < 1e-9);
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

TEST_CASE("a checkpoint that cannot be kept costs nothing but itself, unless it is the last",
          "[train][trainer][unit]") {
  auto config = test::tiny_config();
  config.train.max_steps = 6;
  config.train.eval_every = 2;
  const auto objective = test::tiny_translator(config);
  test::TinySource source(test::tiny_examples(6, 1, false), 2);
  const auto failing = GENERATE(values<int64_t>({2, 4, 6}));
  CAPTURE(failing);
  std::vector<int64_t> saved;
  std::vector<std::string> notes;
  Hooks hooks;
  hooks.evaluate = [&](const checkpoint::Progress& progress) {
    return std::optional(static_cast<double>(progress.step == failing ? 9 : progress.step));
  };
  hooks.save = [&](const checkpoint::Checkpoint& checkpoint) {
    if (checkpoint.progress.step == failing) {
      throw std::filesystem::filesystem_error("cannot write", "model.safetensors",
                                              std::make_error_code(std::errc::no_space_on_device));
    }
    saved.push_back(checkpoint.progress.step);
  };
  hooks.note = [&](const std::string& message) { notes.push_back(message); };
  Trainer trainer(*objective, source, config, torch::kCPU, hooks);
  if (failing == 6) {
    REQUIRE_THROWS_AS(trainer.run(), std::filesystem::filesystem_error);
    REQUIRE(saved == std::vector<int64_t>{2, 4});
    return;
  }
  trainer.run();
  REQUIRE(saved == (failing == 2 ? std::vector<int64_t>{4, 6} : std::vector<int64_t>{2, 6}));
  REQUIRE(notes.size() == 1);
  REQUIRE_THAT(notes[0], test::ContainsSubstring("model.safetensors: No space left"));
  REQUIRE(trainer.progress().best_step == 6);  // what was not kept is not the best
}

TEST_CASE("a rollback goes on from the last checkpoint at half the rate, and not for ever",
          "[train][trainer][unit]") {
  auto config = test::tiny_config();
  config.train.max_steps = 9;
  config.train.on_divergence = "rollback";
  config.checkpoint.every = 3;
  const auto objective = test::tiny_translator(config);
  test::TinySource source(test::tiny_examples(6, 1, false), 2);
  test::FaultyObjective faulty(*objective, 5);  // the pass of step 5
  std::optional<checkpoint::Checkpoint> saved;
  std::vector<std::pair<int64_t, double>> rates;
  std::vector<std::string> notes;
  Hooks hooks;
  hooks.step = [&](const StepReport& report) { rates.emplace_back(report.step, report.lr); };
  hooks.save = [&](const checkpoint::Checkpoint& checkpoint) { saved = copy_of(checkpoint); };
  hooks.roll_back = [&] {
    checkpoint::load_into(objective->module(), saved->model, "here");
    return saved;
  };
  hooks.note = [&](const std::string& message) { notes.push_back(message); };
  Trainer(faulty, source, config, torch::kCPU, hooks).run();
  const std::vector<int64_t> steps = {1, 2, 3, 4, 4, 5, 6, 7, 8, 9};
  REQUIRE(rates.size() == steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    REQUIRE(rates[i].first == steps[i]);
    REQUIRE(std::abs(rates[i].second - (i < 4 ? 0.01 : 0.005)) < 1e-12);
  }
  REQUIRE(notes.size() == 1);
  REQUIRE_THAT(notes[0], test::ContainsSubstring("rollback to step 3, at 0.5 of the rate: step 5"));

  config.train.lr = 1e39;  // no half of it will do
  const auto hopeless = test::tiny_translator(config);
  notes.clear();
  hooks.roll_back = [&] {
    checkpoint::load_into(hopeless->module(), saved->model, "here");
    return saved;
  };
  config.train.max_steps = 100;
  REQUIRE_THROWS_AS(Trainer(*hopeless, source, config, torch::kCPU, hooks).run(), DivergenceError);
  REQUIRE(notes.size() == 5);
}

TEST_CASE("what is reset is not taken over, and the rest is", "[train][trainer][unit]") {
  auto config = test::tiny_config();
  config.train.schedule = "inverse_sqrt";
  config.train.warmup_steps = 4;
  config.train.max_steps = 5;
  const auto objective = test::tiny_translator(config);
  test::TinySource source(test::tiny_examples(8, 1, false), 2);  // 4 steps an epoch
  std::optional<checkpoint::Checkpoint> saved;
  std::vector<double> rates;
  Hooks hooks;
  hooks.step = [&](const StepReport& report) { rates.push_back(report.lr); };
  hooks.save = [&](const checkpoint::Checkpoint& checkpoint) { saved = copy_of(checkpoint); };
  Trainer(*objective, source, config, torch::kCPU, hooks).run();
  const auto first_rates = std::exchange(rates, {});

  config.train.max_steps = 9;
  const auto goes_on = [&](const Reset& reset) {
    rates.clear();
    source.given.clear();
    const auto again = test::tiny_translator(config);
    checkpoint::load_into(again->module(), saved->model, "here");
    Hooks watched;
    watched.step = hooks.step;
    Trainer trainer(*again, source, config, torch::kCPU, watched);
    trainer.resume(*saved, "here", reset);
    trainer.run();
    return test::weights_of(*again);
  };
  const auto all = goes_on({});
  const auto order = source.given;
  REQUIRE(rates[0] < first_rates[3]);  // past the peak
  const auto fresh_moments = goes_on({.optimizer = true});
  REQUIRE(!test::same(all, fresh_moments));
  REQUIRE(source.given == order);
  goes_on({.schedule = true});
  for (std::size_t i = 0; i < 4; ++i) REQUIRE(std::abs(rates[i] - first_rates[i]) < 1e-12);
  goes_on({.data = true});
  REQUIRE(source.given != order);
}

TEST_CASE("a plateau of the score lowers the rate", "[train][trainer][unit]") {
  auto config = test::tiny_config();
  config.train.schedule = "plateau";
  config.train.plateau_factor = 0.1;
  config.train.plateau_patience = 2;
  config.train.min_delta = 0.5;
  config.train.eval_every = 1;
  config.train.max_steps = 7;
  const auto objective = test::tiny_translator(config);
  test::TinySource source(test::tiny_examples(6, 1, false), 2);
  const std::vector<double> scores = {1.0, 1.4, 1.3, 2.0, 2.0, 2.0, 2.0};  // 1.4 is not better
  std::vector<double> rates;
  Hooks hooks;
  hooks.step = [&](const StepReport& report) { rates.push_back(report.lr); };
  hooks.evaluate = [&](const checkpoint::Progress& progress) {
    return std::optional(scores.at(progress.step - 1));
  };
  Trainer(*objective, source, config, torch::kCPU, hooks).run();
  const std::vector<double> expected = {1, 1, 1, 0.1, 0.1, 0.1, 0.01};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CAPTURE(i);
    REQUIRE(std::abs(rates[i] - 0.01 * expected[i]) < 1e-9);
  }
}

TEST_CASE("under ema the average is what is evaluated and saved, and training goes on without it",
          "[train][trainer][train]") {
  auto config = test::tiny_config();
  config.train.max_steps = 8;
  const auto trained = [&](double ema, int64_t stop) {
    config.train.ema = ema;
    config.train.max_steps = stop;
    auto objective = test::tiny_translator(config);
    test::TinySource source(test::tiny_examples(6, 1, false), 2);
    std::optional<checkpoint::Checkpoint> saved;
    Hooks hooks;
    hooks.save = [&](const checkpoint::Checkpoint& checkpoint) { saved = copy_of(checkpoint); };
    Trainer(*objective, source, config, torch::kCPU, hooks).run();
    return std::pair(std::move(objective), *saved);
  };
  const auto [plain, plain_saved] = trained(0.0, 8);
  const auto [averaged, saved] = trained(0.5, 8);
  REQUIRE(test::same(test::weights_of(*plain), test::weights_of(*averaged)));
  REQUIRE(test::same(test::weights_of(*plain), plain_saved.model));
  REQUIRE(!test::same(saved.model, plain_saved.model));

  const auto [half, half_saved] = trained(0.5, 4);
  config.train.max_steps = 8;
  const auto resumed = test::tiny_translator(config);
  checkpoint::load_into(resumed->module(), half_saved.model, "here");
  test::TinySource source(test::tiny_examples(6, 1, false), 2);
  std::optional<checkpoint::Checkpoint> end;
  Hooks hooks;
  hooks.save = [&](const checkpoint::Checkpoint& checkpoint) { end = copy_of(checkpoint); };
  Trainer trainer(*resumed, source, config, torch::kCPU, hooks);
  trainer.resume(half_saved, "here");
  trainer.run();
  REQUIRE(test::same(end->model, saved.model));
  REQUIRE(test::same(end->optimizer, saved.optimizer));
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
