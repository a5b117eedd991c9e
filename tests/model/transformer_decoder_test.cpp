#include "model/transformer_decoder.h"

#include "model/examples.h"
#include "nn/attention/key_value_cache.h"

namespace heed::model {
namespace {

class CountingCache final : public nn::AttentionCache {
 public:
  explicit CountingCache(std::vector<torch::Tensor>& seen) : seen_(seen) {}
  int64_t past() const override { return 4; }
  void select(const torch::Tensor& rows) override { seen_.push_back(rows); }

 private:
  std::vector<torch::Tensor>& seen_;
};

TEST_CASE("a state hands hypotheses to the growing caches and sources to the remembered",
          "[model][transformer_decoder][unit]") {
  std::vector<torch::Tensor> own;
  std::vector<torch::Tensor> memory;
  std::vector<TransformerState::Layer> layers;
  for (int i = 0; i < 2; ++i) {
    layers.push_back(
        {std::make_unique<CountingCache>(own), std::make_unique<CountingCache>(memory)});
  }
  TransformerState state(std::move(layers), 3, torch::kCPU);
  REQUIRE(state.position() == 4);
  const auto doubled = torch::tensor({0, 0, 1, 1, 2, 2}, torch::kLong);
  state.select(doubled, {});
  REQUIRE(own.size() == 2);
  REQUIRE(torch::equal(own[1], doubled));
  REQUIRE(memory.empty());
  REQUIRE(state.rows() == 6);
  REQUIRE(state.memory_rows() == 3);

  const auto sources = torch::tensor({2}, torch::kLong);
  state.select(torch::tensor({5, 4}, torch::kLong), sources);
  REQUIRE(memory.size() == 2);
  REQUIRE(torch::equal(memory[0], sources));
  REQUIRE(state.rows() == 2);
  REQUIRE(state.memory_rows() == 1);
}

TEST_CASE("every layer of a decoder gets the caches that were asked for",
          "[model][transformer_decoder][unit]") {
  torch::manual_seed(1);
  const torch::NoGradGuard no_grad;
  const auto model = build_encoder_decoder(test::small_config(), test::translator_sizes(), 1);
  model->eval();
  const auto memory = model->encode(test::random_sequences({5}, 5));
  const auto state =
      model->start(memory, 9, {.max = 3, .precision = nn::CacheOptions::Precision::kInt8});
  for (int64_t t = 0; t < 9; ++t) model->step(torch::tensor({5}, torch::kLong), *state);
  REQUIRE(state->position() == 9);
  auto* own = dynamic_cast<TransformerState*>(state.get());
  for (const std::size_t layer : {0, 1}) {
    auto* growing = dynamic_cast<nn::GrowingCache*>(own->layer(layer).own.get());
    REQUIRE(growing->key().size(2) == 3);
    // Two heads of depth 4 as int8, each row with a scale of 4 bytes.
    REQUIRE(growing->bytes() == 2 * 2 * 3 * (4 + 4));
    auto* remembered = dynamic_cast<nn::MemoryCache*>(own->layer(layer).memory.get());
    REQUIRE(remembered->bytes() == 2 * 2 * 5 * (4 + 4));
  }
}

}  // namespace
}  // namespace heed::model
