#include "nn/dropout.h"

#include <cmath>
#include <vector>

#include "support/catch.h"
#include "support/close.h"

namespace heed::nn {
namespace {

Noise noise_of(const torch::Tensor& examples, uint64_t seed = 3, int64_t step = 5) {
  return {.seed = seed, .step = step, .examples = examples};
}

Dropout dropout_at(int64_t site, double p) {
  Dropout dropout(p);
  dropout->set_site(site);
  return dropout;
}

torch::Tensor kept(const Dropout& dropout, const Noise& noise, int64_t len = 40) {
  return dropout->forward(torch::ones({noise.examples.size(0), len, 32}), &noise) != 0;
}

TEST_CASE("the same noise drops the same elements", "[nn][dropout][unit]") {
  const auto noise = noise_of(torch::arange(4));
  REQUIRE(torch::equal(kept(dropout_at(1, 0.3), noise), kept(dropout_at(1, 0.3), noise)));
}

TEST_CASE("seed, step, example and site each draw their own mask", "[nn][dropout][property]") {
  const auto site = GENERATE(range(0, 5));
  const auto base = kept(dropout_at(site, 0.5), noise_of(torch::arange(4)));
  const auto others = {
      kept(dropout_at(site + 1, 0.5), noise_of(torch::arange(4))),
      kept(dropout_at(site, 0.5), noise_of(torch::arange(4), 4)),
      kept(dropout_at(site, 0.5), noise_of(torch::arange(4), 3, 6)),
      kept(dropout_at(site, 0.5), noise_of(torch::arange(4) + 4)),
      base.roll(1, 0),  // examples
      base.roll(1, 1),  // positions
      base.roll(1, 2),  // elements
  };
  for (const auto& other : others) {
    const auto agree = (other == base).to(torch::kFloat).mean().item<double>();
    REQUIRE(std::abs(agree - 0.5) < 0.03);  // independent masks agree half of the time
  }
}

TEST_CASE("splitting a batch, padding and the order of examples change no mask",
          "[nn][dropout][property]") {
  const auto p = GENERATE(0.1, 0.3, 0.9);
  const auto dropout = dropout_at(2, p);
  const auto examples = torch::tensor(std::vector<int64_t>{7, 1, 900000000000, 3});
  const auto whole = kept(dropout, noise_of(examples));
  REQUIRE(torch::equal(whole.narrow(0, 1, 2), kept(dropout, noise_of(examples.narrow(0, 1, 2)))));
  REQUIRE(torch::equal(whole.flip(0), kept(dropout, noise_of(examples.flip(0)))));
  REQUIRE(torch::equal(whole.narrow(1, 0, 9), kept(dropout, noise_of(examples), 9)));
}

TEST_CASE("an attention weight's fate does not depend on padding", "[nn][dropout][unit]") {
  const auto dropout = dropout_at(2, 0.4);
  const auto noise = noise_of(torch::arange(3));
  const auto large = dropout->on_weights(torch::ones({3, 4, 9, 37}), &noise);
  const auto small = dropout->on_weights(torch::ones({3, 4, 5, 21}), &noise);
  REQUIRE(torch::equal(large.narrow(2, 0, 5).narrow(3, 0, 21), small));
}

TEST_CASE("a share of 1 - p is kept and the mean stays", "[nn][dropout][property]") {
  const auto p = GENERATE(0.05, 0.3, 0.5, 0.8);
  const auto noise = noise_of(torch::arange(64));
  const auto result = dropout_at(0, p)->forward(torch::ones({64, 40, 50}), &noise);
  const auto share = (result != 0).to(torch::kFloat).mean().item<double>();
  const double bound = 5.0 * std::sqrt(p * (1.0 - p) / static_cast<double>(result.numel()));
  REQUIRE(std::abs(share - (1.0 - p)) < bound);
  REQUIRE(std::abs(result.mean().item<double>() - 1.0) < bound / (1.0 - p));
}

TEST_CASE("add is the residual plus dropout, and the gradient passes where elements were kept",
          "[nn][dropout][property]") {
  const auto width = GENERATE(1, 15, 16, 17, 64);
  torch::manual_seed(width);
  const auto noise = noise_of(torch::arange(3));
  const auto dropout = dropout_at(1, 0.4);
  const auto x = torch::randn({3, 5, width}).requires_grad_();
  const auto residual = torch::randn({3, 5, width}).requires_grad_();
  const auto weight = torch::randn({3, 5, width});

  const auto dropped = dropout->forward(x, &noise);
  REQUIRE(test::max_diff(dropout->add(residual, x, &noise), residual + dropped) == 0.0);

  (dropout->add(residual, x, &noise) * weight).sum().backward();
  const auto mask = dropped.detach() != 0;
  REQUIRE(test::max_diff(x.grad(), torch::where(mask, weight / 0.6, torch::zeros({}))) < 1e-5);
  REQUIRE(test::max_diff(residual.grad(), weight) == 0.0);
}

TEST_CASE("nothing is dropped in eval mode, without noise or with p = 0", "[nn][dropout][unit]") {
  const auto noise = noise_of(torch::arange(2));
  const auto x = torch::randn({2, 3, 8});
  const auto weights = torch::rand({2, 2, 3, 3});
  auto dropout = dropout_at(0, 0.5);
  REQUIRE(torch::equal(dropout->forward(x, nullptr), x));
  REQUIRE(torch::equal(dropout_at(0, 0.0)->forward(x, &noise), x));
  dropout->eval();
  REQUIRE(torch::equal(dropout->forward(x, &noise), x));
  REQUIRE(torch::equal(dropout->add(x, x, &noise), x + x));
  REQUIRE(torch::equal(dropout->on_weights(weights, &noise), weights));
}

TEST_CASE("numbering gives each dropout of a model a site of its own", "[nn][dropout][unit]") {
  struct Two : torch::nn::Module {
    Dropout a = register_module("a", Dropout(0.5));
    Dropout b = register_module("b", Dropout(0.5));
  };
  Two two;
  number_dropout_sites(two);
  const auto noise = noise_of(torch::arange(4));
  REQUIRE_FALSE(torch::equal(kept(two.a, noise), kept(two.b, noise)));
}

}  // namespace
}  // namespace heed::nn
