#include "inspect/attention_health.h"

#include <cmath>

#include "model/examples.h"

namespace heed::inspect {
namespace {

/// A classifier whose only layer attends as it is told: weights [B, H, Tq, Tk].
class Attending final : public model::Classifier {
 public:
  explicit Attending(torch::Tensor weights) : weights_(std::move(weights)) {}
  torch::Tensor pool(const model::Sequences& source) override {
    auto* parts = source.trace->add("encoder", 0);
    parts->weights = weights_;
    parts->scores = weights_.log();  // minus infinity where hidden
    return {};
  }
  torch::Tensor output_weight() const override { return {}; }
  torch::Tensor output_bias() const override { return {}; }
  torch::Tensor logits(const torch::Tensor&) const override { return {}; }

 private:
  torch::Tensor weights_;
};

data::Batch batch_of(const std::vector<int64_t>& lengths) {
  data::Batch batch;
  batch.source_lengths = torch::tensor(lengths);
  batch.source = torch::zeros({std::ssize(lengths), batch.source_lengths.max().item<int64_t>()},
                              torch::kInt64);
  return batch;
}

HeadHealth only_head(const torch::Tensor& rows, int64_t length) {
  Attending model(rows.view({1, 1, rows.size(0), rows.size(1)}));
  auto batch = batch_of({length});
  batch.source = torch::zeros({1, rows.size(1)}, torch::kInt64);
  return attention_health(model, batch, torch::kCPU).at(0);
}

TEST_CASE("even weights have all the entropy there is, padding counted nowhere",
          "[inspect][attention_health][unit]") {
  auto rows = torch::full({4, 4}, 1.0 / 3);
  rows.select(1, 3).zero_();  // three real tokens
  rows.select(0, 3).copy_(torch::tensor({0.0, 0.0, 0.0, 1.0}));
  const auto head = only_head(rows, 3);
  REQUIRE(std::abs(head.entropy - 1.0) < 1e-6);
  REQUIRE(std::abs(head.diagonal - 1.0 / 3) < 1e-6);
  REQUIRE(std::abs(head.first - 1.0 / 3) < 1e-6);
  REQUIRE(std::abs(head.end - 1.0 / 3) < 1e-6);
  REQUIRE(head.padding == 0.0);
  REQUIRE(std::abs(head.largest - 1.0 / 3) < 1e-6);
  REQUIRE(std::abs(head.one_key - 1.0 / 3) < 1e-6);
}

TEST_CASE("a head on the diagonal, and one on the first key", "[inspect][attention_health][unit]") {
  const auto diagonal = only_head(torch::eye(4), 4);
  REQUIRE(diagonal.diagonal == 1.0);
  REQUIRE(diagonal.entropy == 0.0);
  REQUIRE(diagonal.largest == 1.0);
  REQUIRE(diagonal.first == 0.25);
  REQUIRE(diagonal.end == 0.25);
  REQUIRE(diagonal.one_key == 0.25);

  auto rows = torch::zeros({4, 4});
  rows.select(1, 0).fill_(1.0);
  const auto first = only_head(rows, 4);
  REQUIRE(first.first == 1.0);
  REQUIRE(first.one_key == 1.0);
  REQUIRE(first.diagonal == 0.25);
  REQUIRE(first.end == 0.0);
}

TEST_CASE("weight on padding shows", "[inspect][attention_health][unit]") {
  REQUIRE(std::abs(only_head(torch::full({4, 4}, 0.25), 3).padding - 0.25) < 1e-6);
}

TEST_CASE("a real model's heads are all there, sound, and leave no weight on padding",
          "[inspect][attention_health][property]") {
  const auto model =
      model::build_encoder_decoder(test::small_config(), test::translator_sizes(), 1);
  const std::vector<data::Example> examples{{.source = {5, 6, 7}, .target = {6, 7}},
                                            {.source = {8}, .target = {9, 5, 5, 6}, .index = 1}};
  const auto batch = data::collate({&examples[0], &examples[1]});
  const auto heads = attention_health(*model, batch, torch::kCPU);
  REQUIRE(heads.size() == 3 * 2 * 2);  // kinds, layers, heads
  for (const auto& head : heads) {
    CAPTURE(head.kind, head.layer, head.head);
    REQUIRE(head.padding == 0.0);
    REQUIRE(head.entropy > 0.0);
    REQUIRE(head.entropy <= 1.0 + 1e-6);
    REQUIRE(head.largest <= 1.0);
    REQUIRE(head.one_key > 0.0);
    REQUIRE(head.one_key <= 1.0 + 1e-9);
  }
}

TEST_CASE("trouble is said of a kind where half of its heads have it",
          "[inspect][attention_health][unit]") {
  const HeadHealth fine{.kind = "cross", .entropy = 0.5, .one_key = 0.3};
  const HeadHealth even{.kind = "cross", .entropy = 0.995, .one_key = 0.3};
  const HeadHealth one{.kind = "encoder", .entropy = 0.1, .one_key = 0.99};
  REQUIRE(attention_warnings({fine, fine, even}, {}).empty());
  const auto warnings = attention_warnings({fine, even, one}, {});
  REQUIRE(warnings.size() == 2);
  REQUIRE(warnings[0].about == "encoder one key");
  REQUIRE_THAT(warnings[0].text, test::ContainsSubstring("1 of 1 encoder heads look at one key"));
  REQUIRE(warnings[1].about == "cross even");
  REQUIRE_THAT(warnings[1].text, test::ContainsSubstring("1 of 2 cross heads"));
  REQUIRE_THAT(warnings[1].text, test::ContainsSubstring("check model.positions, train.lr"));
}

TEST_CASE("what to check is a key that the model reads", "[inspect][attention_health][unit]") {
  const HeadHealth even{.kind = "cross", .entropy = 0.995, .one_key = 0.99};
  const auto warnings = attention_warnings({even}, {.type = "rnn"});
  REQUIRE(warnings.size() == 2);
  for (const auto& warning : warnings) {
    REQUIRE_THAT(warning.text, test::ContainsSubstring("and model.rnn.attention"));
    REQUIRE(warning.text.find("model.positions") == std::string::npos);
    REQUIRE(warning.text.find("model.norm_position") == std::string::npos);
  }
}

}  // namespace
}  // namespace heed::inspect
