#include "pipeline/labeler.h"

#include <cmath>
#include <numeric>

#include "base/error.h"
#include "pipeline/tiny_run.h"
#include "support/catch.h"

namespace heed::pipeline {
namespace {

Labeler::Parts tiny_parts(const config::Run& config) {
  const auto tokenizers = test::tiny_tokenizers(config);
  const auto model = model::build_classifier(config.model, test::tiny_sizes(config, tokenizers), 3);
  test::stir(*model);
  return {.model = model, .tokenizers = tokenizers, .data = config.data};
}

TEST_CASE("a line read in parts has the mean of their probabilities", "[pipeline][labeler][unit]") {
  torch::manual_seed(2);
  const auto parts = tiny_parts(test::tiny_config("classify"));
  const auto first = test::tiny_sentence(16), second = test::tiny_sentence(9);
  const auto whole = Labeler(parts, {.overlong = "split"}, 1).label({first + " " + second, first});
  const auto alone = Labeler(parts, {}, 1).label({first, second});
  REQUIRE(whole[0].source.parts == 2);
  REQUIRE(whole[0].source.tokens == 25);
  REQUIRE(whole[1].source.parts == 1);
  for (std::size_t label = 0; label < 3; ++label) {
    const double mean = (alone[0].probabilities[label] + alone[1].probabilities[label]) / 2.0;
    REQUIRE(std::abs(whole[0].probabilities[label] - mean) < 1e-6);
    REQUIRE(std::abs(whole[1].probabilities[label] - alone[0].probabilities[label]) < 1e-6);
  }
}

TEST_CASE("a line's probabilities sum to 1 and don't depend on batch or workers",
          "[pipeline][labeler][property]") {
  const std::string pooling = GENERATE("cls", "mean", "max");
  CAPTURE(pooling);
  torch::manual_seed(1);
  auto config = test::tiny_config("classify");
  config.model.pooling = pooling;
  const auto parts = tiny_parts(config);
  std::vector<std::string> lines;
  for (int64_t i = 0; i < 40; ++i) lines.push_back(i % 5 == 0 ? "" : test::tiny_sentence(i % 16));

  const auto alone = Labeler(parts, {.batch_size = 1}, 1).label(lines);
  for (const int64_t workers : {1, 3}) {
    for (const int64_t batch_size : {3, 64}) {
      const auto found = Labeler(parts, {.batch_size = batch_size}, workers).label(lines);
      REQUIRE(found.size() == lines.size());
      for (std::size_t i = 0; i < lines.size(); ++i) {
        CAPTURE(workers, batch_size, i);
        const auto& probabilities = found[i].probabilities;
        REQUIRE(probabilities.empty() == lines[i].empty());
        if (lines[i].empty()) continue;
        const auto sum = std::accumulate(probabilities.begin(), probabilities.end(), 0.0);
        REQUIRE(std::abs(sum - 1.0) < 1e-5);
        for (std::size_t label = 0; label < 3; ++label) {
          REQUIRE(std::abs(probabilities[label] - alone[i].probabilities[label]) < 1e-5);
        }
      }
    }
  }
}

TEST_CASE("labels are ranked by probability, equal ones by id", "[pipeline][labeler][unit]") {
  REQUIRE(Labeling{{}, {0.2, 0.5, 0.3}}.ranked() == std::vector<int64_t>{1, 2, 0});
  REQUIRE(Labeling{{}, {0.3, 0.4, 0.3}}.ranked() == std::vector<int64_t>{1, 0, 2});
  REQUIRE(Labeling{}.ranked().empty());
}

TEST_CASE("texts over max_len are cut or refused", "[pipeline][labeler][unit]") {
  const std::string positions = GENERATE("sinusoidal", "learned");
  auto config = test::tiny_config("classify");
  config.model.positions = positions;
  const auto parts = tiny_parts(config);
  std::vector<std::string> lines;
  for (const int64_t words : {13, 14, 15, 16, 17, 200}) lines.push_back(test::tiny_sentence(words));
  const auto found = Labeler(parts, {}).label(lines);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    REQUIRE(found[i].source.truncated() == (i >= 4));
    REQUIRE(found[i].probabilities.size() == 3);
  }
  REQUIRE_THROWS_AS(Labeler(parts, {.overlong = "error"}).label(lines), DataError);
}

}  // namespace
}  // namespace heed::pipeline
