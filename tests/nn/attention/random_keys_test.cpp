#include "nn/attention/random_keys.h"

#include <set>

#include "support/catch.h"

namespace heed::nn {
namespace {

torch::Tensor random_keys_of(const Pattern& pattern, const Visible& visible, int64_t block,
                             int64_t key_len) {
  return RandomKeys(pattern, visible, 3, key_len, torch::kCPU).of_block(block);
}

std::set<int64_t> drawn(const torch::Tensor& keys) {
  std::set<int64_t> found;
  for (int64_t i = 0; i < keys.size(0); ++i) {
    if (keys[i].item<int64_t>() >= 0) found.insert(keys[i].item<int64_t>());
  }
  return found;
}

TEST_CASE("random keys depend on head, block and length alone", "[nn][random_keys][property]") {
  const Pattern pattern{.window = 1, .random = 5, .block = 4};
  const auto keys = [&](const std::vector<int64_t>& lengths, int64_t len, int64_t block) {
    return random_keys_of(pattern, {.lengths = torch::tensor(lengths)}, block, len);
  };
  const auto alone = keys({20}, 20, 2);  // [1, H, 5]
  const auto batch = keys({7, 20}, 50, 2);
  REQUIRE(torch::equal(alone[0], batch[1]));
  REQUIRE((batch[0] < 7).all().item<bool>());
  REQUIRE((batch >= 0).all().item<bool>());
  REQUIRE_FALSE(torch::equal(alone[0][0], alone[0][1]));
  REQUIRE_FALSE(torch::equal(alone, keys({20}, 20, 3)));
  REQUIRE((keys({0, 20}, 20, 2)[0] == -1).all().item<bool>());
}

TEST_CASE("under causality random keys come from the blocks before",
          "[nn][random_keys][property]") {
  const Pattern pattern{.window = 1, .random = 8, .block = 4};
  const auto block = GENERATE(values<int64_t>({0, 1, 5}));
  const auto keys = random_keys_of(pattern, {.causal = true}, block, 24);
  if (block == 0) REQUIRE((keys == -1).all().item<bool>());
  if (block == 1) REQUIRE(drawn(keys[0][0]) == std::set<int64_t>{0, 1, 2});  // 3 is in the window
  if (block == 5) REQUIRE(((keys >= 0) & (keys < 19)).all().item<bool>());
}

TEST_CASE("as many different keys as asked for, none in a window and none global",
          "[nn][random_keys][property]") {
  const auto random = GENERATE(values<int64_t>({1, 4, 9, 100}));
  const auto causal = GENERATE(false, true);
  const auto block = GENERATE(values<int64_t>({0, 3, 9}));
  CAPTURE(random, causal, block);
  const Pattern pattern{.window = 3, .global_positions = {2, 38}, .random = random, .block = 4};
  auto marks = torch::zeros({2, 40}, torch::kBool);
  marks[1].narrow(0, 20, 3).fill_(true);
  const auto keys = random_keys_of(pattern, {.causal = causal, .global = marks}, block, 40);
  REQUIRE(keys.size(0) == 2);
  for (int64_t row = 0; row < 2; ++row) {
    std::set<int64_t> choice;
    for (int64_t key = 0; key < (causal ? block * 4 : 40); ++key) {
      const bool near = key >= block * 4 - 3 && key < block * 4 + 4 + 3;
      const bool global = key == 2 || key == 38 || (row == 1 && key >= 20 && key < 23);
      if (!near && !global) choice.insert(key);
    }
    for (int64_t head = 0; head < 3; ++head) {
      const auto found = drawn(keys[row][head]);
      REQUIRE(std::ssize(found) == std::min<int64_t>(random, std::ssize(choice)));
      for (const auto key : found) REQUIRE(choice.contains(key));
    }
  }
}

TEST_CASE("every key there is to choose from is chosen about as often",
          "[nn][random_keys][property]") {
  const Pattern pattern{.window = 1, .random = 10, .block = 2};
  auto counts = torch::zeros({400}, torch::kLong);
  const RandomKeys random(pattern, {}, 8, 400, torch::kCPU);
  for (int64_t block = 0; block < 200; ++block) {
    const auto keys = random.of_block(block).flatten();
    counts.scatter_add_(0, keys, torch::ones_like(keys));
  }
  // 200 blocks of 8 heads draw 10 of about 396: 40 each, with a deviation of about 6.3.
  REQUIRE(counts.min().item<int64_t>() > 12);
  REQUIRE(counts.max().item<int64_t>() < 75);
}

}  // namespace
}  // namespace heed::nn
