#include "train/optimizer.h"

#include <cmath>
#include <memory>
#include <utility>

#include "base/error.h"
#include "support/catch.h"
#include "support/close.h"
#include "train/adam.h"

namespace heed::train {
namespace {

const std::vector<std::string> kNames = {"linear.weight", "linear.bias", "norm.weight"};

checkpoint::NamedTensors golden() {
  return checkpoint::read_safetensors(std::string(HEED_SOURCE_DIR) +
                                      "/tests/golden/train_optimizer.safetensors");
}

std::vector<Parameter> start_of(const checkpoint::NamedTensors& tensors) {
  std::vector<Parameter> parameters;
  for (const auto& name : kNames) {
    parameters.push_back({name, tensors.at("start." + name).clone().requires_grad_()});
  }
  return parameters;
}

/// As the golden file was made.
std::unique_ptr<Optimizer> make(const std::string& kind, std::vector<Parameter> parameters) {
  config::Train config;
  config.optimizer = kind == "sgd_plain" ? "sgd" : kind;
  config.weight_decay = 0.1;
  config.momentum = kind == "sgd_plain" ? 0.0 : 0.9;
  return make_optimizer(config, std::move(parameters));
}

void take_steps(Optimizer& optimizer, const checkpoint::NamedTensors& tensors, int first,
                int last) {
  for (int step = first; step <= last; ++step) {
    for (auto parameter : optimizer.parameters()) {
      parameter.value.mutable_grad() =
          tensors.at("grad." + std::to_string(step) + "." + parameter.name).clone();
    }
    optimizer.step(0.01 * step);
  }
}

TEST_CASE("ten updates equal those of PyTorch", "[train][optimizer][golden]") {
  const std::string kind =
      GENERATE(as<std::string>{}, "adam", "adamw", "sgd", "sgd_plain", "adafactor");
  const auto tensors = golden();
  const auto optimizer = make(kind, start_of(tensors));
  take_steps(*optimizer, tensors, 1, 10);
  for (const auto& [name, value] : optimizer->parameters()) {
    CAPTURE(kind, name);
    REQUIRE(test::max_diff(value, tensors.at(kind + "." + name)) < 1e-6);
  }
}

TEST_CASE("after its state is saved and loaded an update is the same, without it another",
          "[train][optimizer][unit]") {
  const std::string kind = GENERATE(as<std::string>{}, "adam", "adamw", "sgd", "adafactor");
  CAPTURE(kind);
  const auto tensors = golden();
  const auto live = make(kind, start_of(tensors));
  take_steps(*live, tensors, 1, 5);

  const auto copy_of = [](const Optimizer& optimizer) {
    auto parameters = optimizer.parameters();
    for (auto& one : parameters) one.value = one.value.detach().clone().requires_grad_();
    return parameters;
  };
  const auto resumed = make(kind, copy_of(*live));
  const auto weights_only = make(kind, copy_of(*live));
  checkpoint::NamedTensors saved;
  for (const auto& [name, tensor] : live->state()) saved[name] = tensor.clone();
  resumed->load_state(saved, "here");

  for (auto* one : {live.get(), resumed.get(), weights_only.get()}) {
    take_steps(*one, tensors, 6, 6);
  }
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    REQUIRE(torch::equal(live->parameters()[i].value, resumed->parameters()[i].value));
    REQUIRE(!torch::equal(live->parameters()[i].value, weights_only->parameters()[i].value));
  }
}

TEST_CASE("a state that doesn't fit is refused before anything changes",
          "[train][optimizer][unit]") {
  const auto tensors = golden();
  Adam adam(start_of(tensors), {});
  take_steps(adam, tensors, 1, 1);
  const auto before = adam.state().at("exp_avg.linear.bias").clone();

  auto missing = adam.state();
  missing.erase("step.norm.weight");
  auto unknown = adam.state();
  unknown["exp_avg.other"] = torch::ones({1});
  auto reshaped = adam.state();
  reshaped["exp_avg.linear.bias"] = torch::ones({6});
  for (const auto& state : {missing, unknown, reshaped}) {
    REQUIRE_THROWS_AS(adam.load_state(state, "here"), CheckpointError);
  }
  REQUIRE(torch::equal(adam.state().at("exp_avg.linear.bias"), before));
}

TEST_CASE("a parameter without a gradient stays, and so does its count",
          "[train][optimizer][unit]") {
  const auto tensors = golden();
  Adam adam(start_of(tensors), {.weight_decay = 0.1, .decoupled = true});
  auto parameter = adam.parameters()[0];
  parameter.value.mutable_grad() = torch::ones_like(parameter.value);
  adam.step(0.1);
  REQUIRE(!torch::equal(parameter.value, tensors.at("start." + kNames[0])));
  REQUIRE(torch::equal(adam.parameters()[1].value, tensors.at("start." + kNames[1])));
  REQUIRE(adam.state().at("step." + kNames[0]).item<double>() == 1.0);
  REQUIRE(adam.state().at("step." + kNames[1]).item<double>() == 0.0);
}

TEST_CASE("small updates to fp32 weights add up", "[train][optimizer][unit]") {
  // A bf16 weight of 1 would round each update of 0.0006 away.
  Adam adam({{"w", torch::ones({1}).requires_grad_()}}, {.beta1 = 0.0, .beta2 = 0.0});
  auto parameter = adam.parameters()[0];
  for (int step = 0; step < 100; ++step) {
    parameter.value.mutable_grad() = torch::ones({1});
    adam.step(0.0006);
  }
  REQUIRE(std::abs(parameter.value.item<double>() - 0.94) < 0.005);
}

class TiedImpl : public torch::nn::Module {
 public:
  TiedImpl() {
    const auto weight = register_parameter("first", torch::ones({2, 2}));
    register_parameter("second", weight);
    register_parameter("frozen", torch::ones({2}), /*requires_grad=*/false);
  }
};

TEST_CASE("a tied parameter is updated once, a frozen one never", "[train][optimizer][unit]") {
  const auto parameters = parameters_of(TiedImpl());
  REQUIRE(parameters.size() == 1);
  REQUIRE(parameters[0].name == "first");
}

}  // namespace
}  // namespace heed::train
