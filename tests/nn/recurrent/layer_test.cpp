#include "nn/recurrent/layer.h"

#include "nn/recurrent_golden.h"

namespace heed::nn {
namespace {

/// Two layers, as the reference has them.
class TwoLayers final : public torch::nn::Module {
 public:
  TwoLayers(CellType type, bool bidirectional) {
    const int64_t width = bidirectional ? 6 : 3;
    first_ = register_module(
        "first", RecurrentLayer(CellOptions{.type = type, .in = 5, .width = width}, bidirectional));
    second_ = register_module(
        "second",
        RecurrentLayer(CellOptions{.type = type, .in = width, .width = width}, bidirectional));
  }

  torch::Tensor forward(const torch::Tensor& x, const torch::Tensor& lengths) const {
    const Packing packing(lengths, x.size(1), torch::kCPU);
    const auto below = first_->forward(packing.pack(x), packing, x.size(0), nullptr);
    return packing.unpack(second_->forward(below, packing, x.size(0), nullptr));
  }

 private:
  RecurrentLayer first_{nullptr};
  RecurrentLayer second_{nullptr};
};

TEST_CASE("layers equal PyTorch's on texts of mixed length, one of them empty, gradients too",
          "[nn][layer][golden]") {
  const auto type = GENERATE(CellType::kLstm, CellType::kGru);
  const auto bidirectional = GENERATE(false, true);
  CAPTURE(bidirectional);
  const auto all = test::recurrent_golden();
  const std::string kind = type == CellType::kLstm ? "lstm" : "gru";
  const auto& golden = all.at(kind + (bidirectional ? "_both" : "_one"));
  std::map<std::string, test::Same> names;
  test::name_cell(names, "first.forward", "_l0");
  test::name_cell(names, "second.forward", "_l1");
  if (bidirectional) test::name_cell(names, "first.backward", "_l0_reverse");
  if (bidirectional) test::name_cell(names, "second.backward", "_l1_reverse");

  TwoLayers layers(type, bidirectional);
  test::copy_golden(layers, names, golden);
  const auto x = test::golden_input(golden, "x");
  const auto lengths = torch::tensor(all.at("lengths").get<std::vector<int64_t>>(), torch::kLong);
  test::require_golden(layers.forward(x, lengths), layers, {{"x", x}}, names, golden);
}

TEST_CASE("junk at the padding changes no number of a layer", "[nn][layer][property]") {
  const auto type = GENERATE(CellType::kLstm, CellType::kGru);
  torch::manual_seed(1);
  const TwoLayers layers(type, true);
  const auto lengths = torch::tensor({2, 5, 0}, torch::kLong);
  const auto padding = (torch::arange(5) >= lengths.unsqueeze(1)).unsqueeze(-1);
  const auto x = torch::randn({3, 5, 5});
  const auto junk = x.masked_fill(padding, std::numeric_limits<double>::quiet_NaN());
  REQUIRE(torch::equal(layers.forward(x, lengths), layers.forward(junk, lengths)));
}

TEST_CASE("two directions need an even width", "[nn][layer][unit]") {
  REQUIRE_THROWS_WITH(
      RecurrentLayer(CellOptions{.type = CellType::kGru, .in = 4, .width = 5}, true),
      test::ContainsSubstring("two directions share a width of 5"));
}

}  // namespace
}  // namespace heed::nn
