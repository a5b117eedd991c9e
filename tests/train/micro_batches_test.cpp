#include "train/micro_batches.h"

#include "support/catch.h"
#include "train/tiny.h"

namespace heed::train {
namespace {

TEST_CASE("parts of a batch are the batches of its rows", "[train][micro_batches][property]") {
  const bool labels = GENERATE(false, true);
  const auto parts = GENERATE(values<int64_t>({1, 2, 3, 7, 8, 50}));
  CAPTURE(labels, parts);
  const auto examples = test::tiny_examples(7, 5, labels);
  const auto batch = test::batch_of(examples);
  const auto micro_batches = split(batch, parts);
  REQUIRE(std::ssize(micro_batches) == std::min<int64_t>(parts, 7));

  std::size_t first = 0;
  for (const auto& part : micro_batches) {
    const std::vector<data::Example> rows(examples.begin() + first,
                                          examples.begin() + first + part.size());
    first += rows.size();
    const auto wanted = test::batch_of(rows);
    REQUIRE(torch::equal(part.source, wanted.source));
    REQUIRE(torch::equal(part.source_lengths, wanted.source_lengths));
    REQUIRE(torch::equal(part.examples, wanted.examples));
    REQUIRE(part.source_tokens == wanted.source_tokens);
    REQUIRE(part.target_tokens == wanted.target_tokens);
    if (labels) {
      REQUIRE(torch::equal(part.labels, wanted.labels));
    } else {
      REQUIRE(torch::equal(part.target_in, wanted.target_in));
      REQUIRE(torch::equal(part.target_out, wanted.target_out));
      REQUIRE(torch::equal(part.target_lengths, wanted.target_lengths));
    }
  }
  REQUIRE(first == examples.size());
}

}  // namespace
}  // namespace heed::train
