#include "model/rnn_encoder.h"

#include "model/rnn_examples.h"

namespace heed::model {
namespace {

RnnEncoder make_encoder(int variant) {
  const auto config = test::rnn_config(variant);
  RnnEncoder encoder(config, nn::Embedding(nn::EmbeddingOptions{.rows = test::kPieces,
                                                                .d_model = config.d_model}));
  encoder->eval();
  return encoder;
}

TEST_CASE("features are 0 at padding, and padding is never read",
          "[model][rnn_encoder][property]") {
  const auto variant = GENERATE(range(0, test::kRnnVariants));
  CAPTURE(variant);
  torch::manual_seed(variant);
  const auto encoder = make_encoder(variant);
  auto source = test::random_sequences({3, 0, 5, 1}, 5);
  const auto features = encoder->forward(source);
  const auto padding = torch::arange(5) >= source.lengths.unsqueeze(1);
  REQUIRE(features.masked_select(padding.unsqueeze(-1)).abs().max().item<double>() == 0.0);
  source.ids = source.ids.masked_fill(padding, -77);  // no piece: reading one would throw
  REQUIRE(torch::equal(encoder->forward(source), features));
}

TEST_CASE("the last features have read the whole text, each half in its direction",
          "[model][rnn_encoder][property]") {
  const auto variant = GENERATE(0, 3);
  torch::manual_seed(variant);
  const auto encoder = make_encoder(variant);
  const bool both = test::rnn_config(variant).rnn.bidirectional;
  const auto source = test::random_sequences({3, 0, 5}, 5);
  const auto features = encoder->forward(source);
  const auto last = last_features(features, source.lengths, both);
  REQUIRE(torch::equal(last[0].narrow(0, 0, 4), features[0][2].narrow(0, 0, 4)));
  REQUIRE(torch::equal(last[2].narrow(0, 4, 4), features[2][both ? 0 : 4].narrow(0, 4, 4)));
  REQUIRE(last[1].abs().max().item<double>() == 0.0);

  auto other = source;
  for (const int64_t place : {0, 4}) {
    other.ids = source.ids.clone();
    other.ids[2][place] = source.ids[2][place].item<int64_t>() == 4 ? 5 : 4;
    const auto moved = last_features(encoder->forward(other), source.lengths, both) - last;
    REQUIRE(moved[2].abs().min().item<double>() > 0.0);
    REQUIRE(moved[0].abs().max().item<double>() == 0.0);
  }
}

TEST_CASE("dropout stands after the embedding and between layers", "[model][rnn_encoder][unit]") {
  const auto encoder = make_encoder(0);
  std::vector<std::string> names;
  for (const auto& item : encoder->named_modules()) {
    const auto* dropout = dynamic_cast<nn::DropoutImpl*>(item.value().get());
    if (dropout && dropout->p() == 0.3) names.push_back(item.key());
  }
  REQUIRE(names == std::vector<std::string>{"embedding_dropout", "dropouts.0"});
}

}  // namespace
}  // namespace heed::model
