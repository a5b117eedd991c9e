#include "inspect/verify_subject.h"

#include <cmath>
#include <utility>

#include "inspect/verified_models.h"
#include "support/catch.h"
#include "support/close.h"

namespace heed::inspect {
namespace {

TEST_CASE("random texts have the lengths asked for, ordinary tokens, and neighbors that differ",
          "[inspect][verify][unit]") {
  const auto verified = test::small_model("translate");
  const auto texts = random_texts(verified, {5, 0, 2}, 1);
  REQUIRE(texts.source_lengths.equal(torch::tensor({5, 0, 2}, torch::kLong)));
  REQUIRE(texts.target_lengths.equal(torch::tensor({2, 1, 5}, torch::kLong)));
  for (const auto& [ids, lengths] : {std::pair{texts.source, texts.source_lengths},
                                     std::pair{texts.target, texts.target_lengths}}) {
    const auto real = real_places(lengths, ids.size(1));
    REQUIRE(ids.masked_select(~real).eq(0).all().item<bool>());
    const auto words = ids.masked_select(real);
    REQUIRE(words.ge(4).all().item<bool>());
    REQUIRE(words.lt(30).all().item<bool>());
  }
  const auto row = texts.source[0];
  REQUIRE(row.narrow(0, 0, 4).ne(row.narrow(0, 1, 4)).all().item<bool>());
  REQUIRE(random_texts(verified, {5, 0, 2}, 1).source.equal(texts.source));
  REQUIRE_FALSE(random_texts(verified, {5, 0, 2}, 2).source.equal(texts.source));
}

TEST_CASE("texts stay within the positions that a model has", "[inspect][verify][unit]") {
  auto verified = test::small_model("translate");
  verified.sizes.max_len = 3;
  REQUIRE(uneven_texts(verified, 1).source_lengths.max().item<int64_t>() == 4);  // and </s>
}

TEST_CASE("texts are longer than what a pattern shows at once, as far as the model has positions",
          "[inspect][verify][unit]") {
  auto verified = test::small_model("translate");
  verified.sizes.max_len = 2000;
  REQUIRE(longest(verified) == 10);
  verified.config.attention.type = "linear";
  REQUIRE(longest(verified) == 300);
  verified.config.attention.type = "window";
  verified.config.attention.window = 500;
  REQUIRE(longest(verified) == 540);
  verified.sizes.max_len = 60;
  REQUIRE(longest(verified) == 61);
}

TEST_CASE("places are spread from the first to the last", "[inspect][verify][unit]") {
  REQUIRE(spread(3, 9) == std::vector<int64_t>{0, 1, 2});
  REQUIRE(spread(101, 3) == std::vector<int64_t>{0, 50, 100});
  REQUIRE(spread(0, 3).empty());
  REQUIRE(spread(1, 3) == std::vector<int64_t>{0});
}

TEST_CASE("another token is ordinary and another one, whatever the vocabulary",
          "[inspect][verify][unit]") {
  auto verified = test::small_model("classify");
  for (const int64_t pieces : {6, 7, 9, 30}) {
    verified.sizes.source_pieces = pieces;
    const auto ids = torch::arange(pieces);
    const auto other = other_tokens(verified, ids);
    REQUIRE(other.ne(ids).all().item<bool>());
    REQUIRE(other.ge(4).all().item<bool>());
    REQUIRE(other.lt(pieces).all().item<bool>());
  }
}

TEST_CASE("predictions are log-probabilities, 0 at padding, and the same step by step",
          "[inspect][verify][property]") {
  const torch::NoGradGuard no_grad;
  const auto verified = test::small_model("translate");
  const auto texts = uneven_texts(verified, 2);
  const auto log_p = verified.model.predict(texts);
  const auto real = real_places(texts.target_lengths, texts.target.size(1));
  REQUIRE(log_p.sizes() == std::vector<int64_t>{4, 10, 30});
  const auto sums = log_p.exp().sum(-1);
  REQUIRE(test::max_diff(sums, torch::where(real, torch::ones({1}), torch::full({1}, 30.0))) <
          1e-5);
  REQUIRE(test::max_diff(verified.model.predict_stepwise(texts), log_p) < 1e-5);
  REQUIRE(verified.model.read(texts).sizes() == std::vector<int64_t>{4, 10, 16});

  const auto classifier = test::small_model("classify");
  const auto sources = uneven_texts(classifier, 2);
  REQUIRE_FALSE(sources.target.defined());
  REQUIRE(classifier.model.predict(sources).sizes() == std::vector<int64_t>{4, 3});
  REQUIRE(classifier.model.read(sources).sizes() == std::vector<int64_t>{4, 16});
}

TEST_CASE("the distance of tensors is the largest difference, and NaN stays NaN",
          "[inspect][verify][unit]") {
  const auto a = torch::tensor({1.0, 2.0});
  REQUIRE(distance(a, torch::tensor({1.5, 0.0})) == 2.0);
  REQUIRE(std::isnan(distance(a, torch::tensor({std::nan(""), 2.0}))));
  REQUIRE(distance(torch::empty({0}), torch::empty({0})) == 0.0);
}

}  // namespace
}  // namespace heed::inspect
