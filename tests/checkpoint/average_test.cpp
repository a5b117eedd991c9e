#include "checkpoint/average.h"

#include "base/error.h"
#include "base/files.h"
#include "checkpoint/directory.h"
#include "support/catch.h"
#include "support/scratch.h"

namespace heed::checkpoint {
namespace {

TEST_CASE("the average of a model with itself is that model, bit for bit",
          "[checkpoint][average][property]") {
  const auto seed = GENERATE(range(0, 5));
  torch::manual_seed(seed);
  const NamedTensors model = {{"w", torch::randn({7, 5})},
                              {"half", torch::randn({9}).to(torch::kBFloat16)},
                              {"count", torch::randint(0, 9, {3}, torch::kInt64)}};
  const auto averaged = average({model, model, model});
  for (const auto& [name, tensor] : model) REQUIRE(torch::equal(averaged.at(name), tensor));
}

TEST_CASE("the average of 1 and 3 is 2, and integers are the last one's",
          "[checkpoint][average][unit]") {
  const NamedTensors one = {{"w", torch::ones({2})}, {"n", torch::tensor({7})}};
  const NamedTensors three = {{"w", torch::full({2}, 3.0)}, {"n", torch::tensor({8})}};
  const auto averaged = average({one, three});
  REQUIRE(torch::equal(averaged.at("w"), torch::full({2}, 2.0)));
  REQUIRE(torch::equal(averaged.at("n"), torch::tensor({8})));
}

TEST_CASE("models of different kinds are not averaged", "[checkpoint][average][unit]") {
  const NamedTensors model = {{"w", torch::ones({2})}};
  const NamedTensors reshaped = {{"w", torch::ones({3})}};
  const NamedTensors renamed = {{"v", torch::ones({2})}};
  const NamedTensors more = {{"w", torch::ones({2})}, {"v", torch::ones({2})}};
  for (const auto& other : {reshaped, renamed, more}) {
    REQUIRE_THROWS_AS(average({model, other}), CheckpointError);
    REQUIRE_THROWS_AS(average({other, model}), CheckpointError);
  }
}

TEST_CASE("the last checkpoints of a run are averaged into one that is found by name",
          "[checkpoint][average][unit]") {
  const test::ScratchDirectory run;
  config::Run config;
  config.data.train = {.source = "/a", .target = "/b"};
  config.train.max_steps = 10;
  write_file(run / "config.json", config::to_json(config));
  for (int64_t step = 1; step <= 3; ++step) {
    Checkpoint checkpoint;
    checkpoint.model["w"] = torch::full({2}, static_cast<double>(step));
    checkpoint.optimizer["m"] = torch::ones({1});
    checkpoint.progress.step = step;
    save(step_directory(run.path(), step), checkpoint, config);
  }
  REQUIRE_THROWS_AS(average_last(run.path(), 4), CheckpointError);
  for (int again = 0; again < 2; ++again) {
    const auto dir = average_last(run.path(), 2);
    REQUIRE(find(run.path(), dir.filename().string()) == dir);
    const auto loaded = load(dir, /*with_optimizer=*/true);
    REQUIRE(torch::equal(loaded.model.at("w"), torch::full({2}, 2.5)));
    REQUIRE(loaded.optimizer.empty());
  }
  REQUIRE(saved_steps(run.path()) == std::vector<int64_t>{1, 2, 3});
}

}  // namespace
}  // namespace heed::checkpoint
