#include "model/transformer_decoder.h"

#include "model/examples.h"

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

}  // namespace
}  // namespace heed::model
