#include "decode/model_scorer.h"

#include <cmath>
#include <utility>

#include "decode/tiny_translator.h"
#include "support/catch.h"
#include "support/close.h"

namespace heed::decode {
namespace {

/// Computes every step anew from all tokens so far: what caches must not change.
class UncachedScorer final : public Scorer {
 public:
  UncachedScorer(model::EncoderDecoder& model, model::Memory memory)
      : model_(model), memory_(std::move(memory)) {}

  int64_t vocabulary() const override { return test::kPieces; }

  torch::Tensor next(const torch::Tensor& ids) override {
    const torch::NoGradGuard no_grad;
    const auto last = ids.unsqueeze(1);
    read_ = read_.defined() ? torch::cat({read_, last}, 1) : last;  // [rows, T]
    const auto each = read_.size(0) / memory_.lengths.size(0);
    const model::Memory repeated{memory_.features.repeat_interleave(each, 0),
                                 memory_.lengths.repeat_interleave(each, 0)};
    const auto lengths = torch::full({read_.size(0)}, read_.size(1), torch::kLong);
    const auto features = model_.decode({.ids = read_, .lengths = lengths}, repeated);
    return model_.logits(features.select(1, -1)).log_softmax(-1);
  }

  void select(const torch::Tensor& rows, const torch::Tensor& memory_rows) override {
    read_ = read_.index_select(0, rows);
    if (!memory_rows.defined()) return;
    memory_ = {memory_.features.index_select(0, memory_rows),
               memory_.lengths.index_select(0, memory_rows)};
  }

 private:
  model::EncoderDecoder& model_;
  model::Memory memory_;
  torch::Tensor read_;
};

TEST_CASE("search finds the same with caches and without", "[decode][model_scorer][property]") {
  const int64_t beam_size = GENERATE(1, 4);
  const auto seed = GENERATE(range(0, 2));
  CAPTURE(beam_size, seed);
  torch::manual_seed(seed);
  const auto model = test::tiny_translator(seed);
  const auto sources = test::random_sources(50, 1, 15);
  const SearchOptions options{.beam_size = beam_size, .never = {0, 1, 2}};
  const auto cached = test::search(*model, sources, options);

  UncachedScorer scorer(*model, model->encode(test::padded(sources)));
  std::vector<int64_t> limits;
  for (const auto& source : sources) limits.push_back(2 * std::ssize(source));
  const auto uncached = beam_search(scorer, limits, options);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    CAPTURE(i);
    REQUIRE(cached[i][0].ids == uncached[i][0].ids);
    for (std::size_t t = 0; t < cached[i][0].token_scores.size(); ++t) {
      REQUIRE(std::abs(cached[i][0].token_scores[t] - uncached[i][0].token_scores[t]) < 1e-5);
    }
  }
}

TEST_CASE("a memory is read when decoding starts and never again", "[decode][model_scorer][unit]") {
  const torch::NoGradGuard no_grad;
  const auto model = test::tiny_translator(1);
  const auto memory = model->encode(test::padded(test::random_sources(3, 2, 5)));
  const auto begin = torch::full({3}, 2, torch::kLong);
  ModelScorer expected(*model, memory, 10);
  const auto first = expected.next(begin);
  const auto second = expected.next(begin);

  ModelScorer scorer(*model, memory, 10);
  memory.features.fill_(std::nan(""));
  REQUIRE(torch::equal(scorer.next(begin), first));
  REQUIRE(torch::equal(scorer.next(begin), second));
}

TEST_CASE("next gives log-probabilities of the model's pieces, without gradients",
          "[decode][model_scorer][unit]") {
  const auto model = test::tiny_translator(1);
  const auto memory = model->encode(test::padded(test::random_sources(3, 2, 5)));
  ModelScorer scorer(*model, memory, 10);
  REQUIRE(scorer.vocabulary() == test::kPieces);

  const auto log_p = scorer.next(torch::full({3}, 2, torch::kLong));
  REQUIRE(log_p.sizes() == std::vector<int64_t>{3, test::kPieces});
  REQUIRE_FALSE(log_p.requires_grad());
  REQUIRE(test::max_diff(log_p.exp().sum(1), torch::ones({3})) < 1e-5);
}

TEST_CASE("caches follow their hypotheses when rows are exchanged",
          "[decode][model_scorer][property]") {
  const auto seed = GENERATE(range(0, 5));
  CAPTURE(seed);
  torch::manual_seed(seed);
  const auto model = test::tiny_translator(seed);
  const auto memory = model->encode(test::padded(test::random_sources(2, 3, 6)));
  const auto ids = torch::randint(4, test::kPieces, {4, 4}, torch::kLong);  // [rows, T]

  // Four hypotheses, two a source; then those of source 1 only, exchanged.
  ModelScorer scorer(*model, memory, 10);
  scorer.next(torch::full({2}, 2, torch::kLong));
  scorer.select(torch::tensor({0, 0, 1, 1}, torch::kLong), {});
  scorer.next(ids.select(1, 0));
  const auto before = scorer.next(ids.select(1, 1));  // [4, V]
  scorer.select(torch::tensor({3, 2}, torch::kLong), torch::tensor({1}, torch::kLong));
  const auto after = scorer.next(ids.select(1, 2).index_select(0, torch::tensor({3, 2})));

  const auto uncached = [&](int64_t row, int64_t length) {
    const torch::NoGradGuard no_grad;
    const auto begin = torch::full({1}, 2, torch::kLong);
    const auto read = torch::cat({begin, ids[row].narrow(0, 0, length)}).unsqueeze(0);
    const auto source = row / 2;
    const model::Memory own{memory.features.narrow(0, source, 1),
                            memory.lengths.narrow(0, source, 1)};
    const auto lengths = torch::full({1}, length + 1, torch::kLong);
    const auto features = model->decode({.ids = read, .lengths = lengths}, own);
    return model->logits(features.select(1, -1)).log_softmax(-1).squeeze(0);
  };
  for (int64_t row = 0; row < 4; ++row) {
    REQUIRE(test::max_diff(before[row], uncached(row, 2)) < 1e-5);
  }
  REQUIRE(test::max_diff(after[0], uncached(3, 3)) < 1e-5);
  REQUIRE(test::max_diff(after[1], uncached(2, 3)) < 1e-5);
}

}  // namespace
}  // namespace heed::decode
