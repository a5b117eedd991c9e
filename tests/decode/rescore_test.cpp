#include "decode/rescore.h"

#include <cmath>

#include "decode/tiny_translator.h"
#include "support/catch.h"

namespace heed::decode {
namespace {

TEST_CASE("scores found step by step are those of one teacher-forced pass",
          "[decode][rescore][property]") {
  const auto seed = GENERATE(range(0, 3));
  const int64_t beam_size = GENERATE(1, 4);
  CAPTURE(seed, beam_size);
  torch::manual_seed(seed);
  const auto model = test::tiny_translator(seed);
  const auto sources = test::random_sources(50, 1, 20);
  const SearchOptions options{.beam_size = beam_size, .never = {0, 1, 2}};
  const auto found = test::search(*model, sources, options);

  std::vector<std::vector<int64_t>> targets;
  for (const auto& list : found) targets.push_back(list[0].ids);
  const auto memory = model->encode(test::padded(sources));
  const auto scores = rescore(*model, memory, targets, 2);
  for (std::size_t i = 0; i < found.size(); ++i) {
    CAPTURE(i);
    REQUIRE(scores[i].size() == found[i][0].token_scores.size());
    double sum = 0.0;
    for (std::size_t t = 0; t < scores[i].size(); ++t) {
      REQUIRE(std::abs(scores[i][t] - found[i][0].token_scores[t]) < 1e-5);
      sum += scores[i][t];
    }
    const auto length = static_cast<double>(scores[i].size());
    REQUIRE(std::abs(sum / length - found[i][0].score) < 1e-4);
  }
}

TEST_CASE("rescoring leaves a trace of decoder and cross attention on request",
          "[decode][rescore][unit]") {
  const auto model = test::tiny_translator(1);
  const auto memory = model->encode(test::padded(test::random_sources(1, 5, 5)));
  model::Trace trace;
  rescore(*model, memory, {{7, 8, 3}}, 2, &trace);
  REQUIRE(trace.layers.size() == 4);
  for (const auto& layer : trace.layers) {
    const int64_t keys = layer.kind == "cross" ? 6 : 3;
    REQUIRE(layer.parts.weights.sizes() == std::vector<int64_t>{1, 2, 3, keys});
  }
}

TEST_CASE("a target without tokens is a bug of the caller", "[decode][rescore][unit]") {
  const auto model = test::tiny_translator(1);
  const auto memory = model->encode(test::padded(test::random_sources(1, 5, 5)));
  REQUIRE_THROWS_AS(rescore(*model, memory, {{}}, 2), c10::Error);
}

}  // namespace
}  // namespace heed::decode
