#include "model/sizes.h"

#include "base/error.h"
#include "support/catch.h"

namespace heed::model {
namespace {

TEST_CASE("an embedding has as many rows as pieces, or more", "[model][sizes][unit]") {
  REQUIRE(embedding_rows({.vocab_rows = 0}, 11) == 11);
  REQUIRE(embedding_rows({.vocab_rows = 11}, 11) == 11);
  REQUIRE(embedding_rows({.vocab_rows = 16}, 11) == 16);
  REQUIRE_THROWS_AS(embedding_rows({.vocab_rows = 10}, 11), ConfigError);
  REQUIRE_THROWS_WITH(embedding_rows({.vocab_rows = 10}, 11),
                      test::ContainsSubstring(
                          "model.vocab_rows: 10 rows are too few for a vocabulary of 11 pieces"));
}

TEST_CASE("rows are rounded up to a multiple", "[model][sizes][unit]") {
  REQUIRE(embedding_rows({.vocab_multiple = 8}, 11) == 16);
  REQUIRE(embedding_rows({.vocab_multiple = 8}, 16) == 16);
  REQUIRE(embedding_rows({.vocab_multiple = 1}, 11) == 11);
  REQUIRE(embedding_rows({.vocab_multiple = 64}, 1) == 64);
  REQUIRE(embedding_rows({.vocab_rows = 12, .vocab_multiple = 1}, 11) == 12);
}

TEST_CASE("sizes that don't fit are named, both of them", "[model][sizes][unit]") {
  const Sizes shared{.source_pieces = 9, .target_pieces = 9, .max_len = 5};
  const Sizes apart{.source_pieces = 9, .target_pieces = 7, .max_len = 5};
  REQUIRE_NOTHROW(check_sizes({.tie = "all"}, shared));
  REQUIRE_NOTHROW(check_sizes({.tie = "softmax"}, apart));
  REQUIRE_THROWS_AS(check_sizes({.tie = "all"}, apart), ConfigError);
  REQUIRE_THROWS_WITH(check_sizes({.tie = "all"}, apart),
                      test::ContainsSubstring("the source has 9 pieces and the target 7"));
  REQUIRE_THROWS_WITH(check_sizes({.d_model = 10, .heads = 4}, shared),
                      "model.heads: 4 heads do not divide model.d_model, which is 10");
  REQUIRE_THROWS_WITH(check_sizes({.d_model = 8, .heads = 4, .kv_heads = 3}, shared),
                      "model.kv_heads: 3 do not divide model.heads, which is 4");
  REQUIRE_THROWS_WITH(check_sizes({.type = "cnn"}, shared),
                      test::ContainsSubstring("model.type: there is no 'cnn'"));
  REQUIRE_NOTHROW(check_sizes({.type = "rnn", .d_model = 10}, shared));
  REQUIRE_THROWS_WITH(check_sizes({.type = "rnn", .d_model = 9}, shared),
                      test::ContainsSubstring("two directions share it"));
  REQUIRE_NOTHROW(
      check_sizes({.type = "rnn", .d_model = 9, .rnn = {.bidirectional = false}}, shared));
}

}  // namespace
}  // namespace heed::model
