#include "nn/kernels/keyed_dropout.h"

#include "support/catch.h"
#include "support/close.h"

namespace heed::nn {
namespace {

TEST_CASE("the dropout kernel and its gradient equal the plain formula bit by bit",
          "[nn][keyed_dropout][property]") {
  const auto type = GENERATE(torch::kFloat, torch::kBFloat16, torch::kHalf, torch::kDouble);
  const auto width = GENERATE(1, 15, 16, 33, 128);
  const auto adds = GENERATE(false, true);
  const auto p = GENERATE(0.1, 0.5, 0.9);
  CAPTURE(type, width, adds, p);
  torch::manual_seed(width);
  const auto keys = torch::randint(-1000000000, 1000000000, {3}, torch::kLong);
  const auto x = torch::randn({3, 2, 5, width}).to(type);
  const auto residual = adds ? torch::randn({3, 2, 5, width}).to(type) : torch::Tensor();
  const auto leaf = x.clone().requires_grad_();
  const auto plain_leaf = x.clone().requires_grad_();
  const auto weight = torch::randn_like(x);

  const auto result = keyed_dropout(leaf, residual, keys, p);
  const auto plain = keyed_dropout_explicit(plain_leaf, residual, keys, p);
  REQUIRE(result.scalar_type() == type);
  REQUIRE(torch::equal(result, plain));
  result.backward(weight);
  plain.backward(weight);
  if (type == torch::kFloat || type == torch::kDouble) {
    REQUIRE(torch::equal(leaf.grad(), plain_leaf.grad()));
  } else {
    REQUIRE(test::max_diff(leaf.grad().to(torch::kFloat), plain_leaf.grad().to(torch::kFloat)) <
            0.1);
  }
}

TEST_CASE("a part drops what the whole drops at its places", "[nn][keyed_dropout][property]") {
  const auto type = GENERATE(torch::kFloat, torch::kDouble);
  torch::manual_seed(1);
  const auto keys = torch::tensor({3, 8}, torch::kLong);
  const auto x = torch::ones({2, 3, 20, 30}, type);
  const auto whole = keyed_dropout(x, {}, keys, 0.4);
  const auto cut = [](const torch::Tensor& all) { return all.narrow(2, 5, 7).narrow(3, 11, 12); };
  const auto part = keyed_dropout(cut(x), {}, keys, 0.4, {.row = 5, .element = 11});
  REQUIRE(torch::equal(part, cut(whole)));

  const auto rows = torch::tensor({19, 0, 4}, torch::kLong);
  const auto elements = torch::tensor({29, 1, 1, 7}, torch::kLong);
  const auto pick = [&](const torch::Tensor& all) {
    return all.index_select(2, rows).index_select(3, elements);
  };
  auto leaf = pick(x).clone().requires_grad_();
  const auto some = keyed_dropout(leaf, {}, keys, 0.4, {.rows = rows, .elements = elements});
  REQUIRE(torch::equal(some, pick(whole)));
  some.sum().backward();
  REQUIRE(torch::equal(leaf.grad(), some));
}

TEST_CASE("the number of threads changes no mask", "[nn][keyed_dropout][unit]") {
  const auto keys = torch::arange(64);
  const auto x = torch::randn({64, 1, 40, 64});
  const auto one = keyed_dropout(x, {}, keys, 0.3);
  torch::set_num_threads(2);
  const auto two = keyed_dropout(x, {}, keys, 0.3);
  torch::set_num_threads(1);
  REQUIRE(torch::equal(one, two));
}

TEST_CASE("dropout names the shapes that disagree", "[nn][keyed_dropout][unit]") {
  REQUIRE_THROWS_WITH(keyed_dropout(torch::ones({2, 1, 3, 4}), {}, torch::arange(3), 0.5),
                      test::ContainsSubstring("2 rows for [3] keys"));
}

}  // namespace
}  // namespace heed::nn
