#include "inspect/visible_by_counting.h"

#include "inspect/verified_models.h"
#include "support/catch.h"

namespace heed::inspect {
namespace {

Verified counted_model(const std::string& type) {
  return test::small_model("translate", [&](config::Model& model) {
    model.attention.type = type;
    if (type == "top_k") model.attention.top_k = 2;
    if (type == "multi_head" || type == "top_k") return;
    model.attention.window = 1;
    model.attention.block = 2;
    model.attention.random = 2;
    if (type != "window") model.attention.global_positions = {0};
  });
}

TEST_CASE("keys within the source are visible, and in the decoder none after the query",
          "[inspect][visible_by_counting][unit]") {
  const auto verified = counted_model("multi_head");
  const auto texts = random_texts(verified, {3, 2}, 1);
  const auto encoder = visible_by_counting("encoder", texts);
  REQUIRE(encoder[0].all().item<bool>());
  REQUIRE_FALSE(encoder[1][0].select(1, 2).any().item<bool>());
  const auto decoder = visible_by_counting("decoder", texts);
  REQUIRE(torch::equal(decoder[0][0], torch::ones({3, 3}).tril().to(torch::kBool)));
  REQUIRE(torch::equal(within_pattern(verified, "encoder", texts), encoder));
}

TEST_CASE("a pattern leaves its window and its global tokens",
          "[inspect][visible_by_counting][unit]") {
  const auto window = counted_model("window");
  const auto texts = random_texts(window, {5, 5}, 1);
  const auto place = torch::arange(5);
  const auto near = (place - place.unsqueeze(1)).abs() <= 1;
  REQUIRE(torch::equal(within_pattern(window, "encoder", texts)[0][0], near));
  REQUIRE(within_pattern(window, "cross", texts).all().item<bool>());
  const auto longformer = counted_model("longformer");
  const auto global = (place == 0) | (place == 0).unsqueeze(1);
  REQUIRE(torch::equal(within_pattern(longformer, "encoder", texts)[0][0], near | global));
  REQUIRE(torch::equal(within_pattern(longformer, "decoder", texts)[0][0], (near | global).tril()));
}

TEST_CASE("global tokens are found by their ids, in the encoder only",
          "[inspect][visible_by_counting][unit]") {
  auto verified = counted_model("longformer");
  verified.config.attention.global_positions.clear();
  const auto texts = random_texts(verified, {6, 6}, 1);
  verified.sizes.global_ids = {texts.source[0][5].item<int64_t>()};
  REQUIRE(within_pattern(verified, "encoder", texts)[0][0][1][5].item<bool>());
  verified.sizes.global_ids = {texts.target[0][0].item<int64_t>()};
  REQUIRE_FALSE(within_pattern(verified, "decoder", texts)[0][0][5][0].item<bool>());
}

TEST_CASE("weight beyond what a variant lets through is what counts",
          "[inspect][visible_by_counting][unit]") {
  const auto weights = [] { return torch::zeros({1, 2, 8, 8}); };
  const auto measured = [&](const std::string& type, const torch::Tensor& x) {
    const auto verified = counted_model(type);
    return hidden_weight(verified, "encoder", random_texts(verified, {8}, 1), x);
  };
  auto far = weights();
  far[0][1][1][7] = 0.5;
  REQUIRE(measured("multi_head", far) == 0.0);
  REQUIRE(measured("window", far) == 0.5);
  REQUIRE(measured("longformer", far) == 0.5);
  REQUIRE(measured("bigbird", far) == 0.0);  // one random key
  far[0][1][0][7] = 0.5;                     // row 0 is global
  far[0][1][0][6] = 0.25;
  far[0][1][1][5] = 0.25;
  REQUIRE(measured("bigbird", far) == 0.0);
  far[0][1][1][4] = 0.125;  // a third of its block
  REQUIRE(measured("bigbird", far) == 0.125);

  auto many = weights();
  many[0][0][3].narrow(0, 0, 2).fill_(0.4);
  REQUIRE(measured("top_k", many) == 0.0);
  many[0][0][3][6] = 0.25;
  REQUIRE(measured("top_k", many) == 0.25);
}

}  // namespace
}  // namespace heed::inspect
