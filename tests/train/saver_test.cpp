#include "train/saver.h"

#include <cmath>

#include "base/error.h"
#include "base/files.h"
#include "support/catch.h"
#include "support/scratch.h"

namespace heed::train {
namespace {

checkpoint::Checkpoint make_checkpoint(int64_t step, double weight) {
  return {.model = {{"w", torch::full({2}, weight)}},
          .optimizer = {{"step.w", torch::ones({})}},
          .progress = {.step = step, .epoch = 0, .batch = 0}};
}

TEST_CASE("the saver keeps best and last, and points to them", "[train][saver][unit]") {
  const test::ScratchDirectory run;
  config::Run config;
  config.checkpoint = {.every = 1, .keep_last = 1, .keep_best = 1};
  Saver saver(run.path(), config);
  REQUIRE(saver.last() == "none");
  double best = 0.0;
  int64_t best_step = 0;
  const std::vector<double> scores = {5, 9, 7, 6};
  for (int64_t step = 1; step <= 4; ++step) {
    const double score = scores[step - 1];
    if (score > best) {
      best = score;
      best_step = step;
    }
    auto checkpoint = make_checkpoint(step, score);
    checkpoint.progress.evaluated_step = step;
    checkpoint.progress.score = score;
    checkpoint.progress.best_score = best;
    checkpoint.progress.best_step = best_step;
    saver.save(checkpoint);
  }
  REQUIRE(checkpoint::saved_steps(run.path()) == std::vector<int64_t>{2, 4});
  REQUIRE(checkpoint::find(run.path(), "best") == checkpoint::step_directory(run.path(), 2));
  REQUIRE_THAT(read_file(run / "best.json"), test::ContainsSubstring("\"score\": 9"));
  REQUIRE_THAT(read_file(run / "last.json"), test::ContainsSubstring("step-000004"));
  REQUIRE(saver.last() == checkpoint::step_directory(run.path(), 4).string());
}

TEST_CASE("weights that are not finite are never saved", "[train][saver][unit]") {
  const test::ScratchDirectory run;
  Saver saver(run.path(), {});
  saver.save(make_checkpoint(1, 1.0));
  for (const double bad : {std::nan(""), HUGE_VAL}) {
    try {
      saver.save(make_checkpoint(2, bad));
      FAIL("saved");
    } catch (const DivergenceError& error) {
      REQUIRE_THAT(error.what(), test::ContainsSubstring("step 2: 'w' is not finite"));
      REQUIRE_THAT(error.what(), test::ContainsSubstring("step-000001"));
    }
  }
  REQUIRE(checkpoint::saved_steps(run.path()) == std::vector<int64_t>{1});
}

}  // namespace
}  // namespace heed::train
