#include "train/weight_average.h"

#include <cmath>

#include "base/error.h"
#include "support/catch.h"

namespace heed::train {
namespace {

TEST_CASE("the average follows the weights and takes their place on demand",
          "[train][weight_average][unit]") {
  auto weight = torch::zeros({2});
  WeightAverage average({{"w", weight}}, 0.9);
  weight.fill_(1.0);
  average.update(1000);  // late: the decay is the one asked for
  average.swap();
  REQUIRE(std::abs(weight[0].item<double>() - 0.1) < 1e-6);
  REQUIRE(average.state().at("weight.w")[0].item<double>() == 1.0);
  average.swap();
  REQUIRE(weight[0].item<double>() == 1.0);
}

TEST_CASE("early updates weigh more", "[train][weight_average][unit]") {
  auto weight = torch::zeros({1});
  WeightAverage average({{"w", weight}}, 0.999);
  weight.fill_(1.0);
  average.update(1);
  average.swap();
  REQUIRE(std::abs(weight.item<double>() - (1.0 - 2.0 / 11.0)) < 1e-6);
}

TEST_CASE("saved and loaded, average and weights are what they were",
          "[train][weight_average][unit]") {
  auto weight = torch::zeros({1});
  WeightAverage live({{"w", weight}}, 0.9);
  weight.fill_(1.0);
  live.update(1000);
  live.swap();
  checkpoint::NamedTensors state;
  for (const auto& [name, tensor] : live.state()) state[name] = tensor.clone();  // as on a disk
  auto loaded = weight.clone();  // model.safetensors holds the average
  live.swap();

  WeightAverage resumed({{"w", loaded}}, 0.9);
  auto broken = state;
  broken["weight.w"] = torch::zeros({3});
  REQUIRE_THROWS_AS(resumed.load_state(broken, "here"), CheckpointError);
  resumed.load_state(state, "here");
  REQUIRE(state.empty());
  REQUIRE(loaded.item<double>() == 1.0);
  resumed.swap();
  REQUIRE(std::abs(loaded.item<double>() - 0.1) < 1e-6);
}

TEST_CASE("without a decay nothing is kept", "[train][weight_average][unit]") {
  auto weight = torch::ones({1});
  WeightAverage average({{"w", weight}}, 0.0);
  average.update(1);
  average.swap();
  REQUIRE(weight.item<double>() == 1.0);
  REQUIRE(average.state().empty());
}

}  // namespace
}  // namespace heed::train
