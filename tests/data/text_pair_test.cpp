#include "data/text_pair.h"

#include "support/catch.h"

namespace data = heed::data;
namespace text = heed::text;
using Ids = std::vector<int64_t>;

namespace {

std::shared_ptr<const text::Tokenizer> letters() {
  heed::config::Tokenizer config;
  config.type = "whitespace";
  return text::make_tokenizer(config, {"a b c d"});
}

}  // namespace

TEST_CASE("a pair is its first text, the end of a text, its second", "[data][text_pair][unit]") {
  const auto tokenizer = letters();
  CHECK(data::encode_pair(*tokenizer, "a b\tc") == Ids{4, 5, text::kEnd, 6});
  CHECK(data::encode_pair(*tokenizer, "a\tb\tc") == Ids{4, text::kEnd, 5, 6});  // at the first tab
  CHECK(data::encode_pair(*tokenizer, "a") == Ids{4, text::kEnd});
  CHECK(data::encode_pair(*tokenizer, "</s>\ta") == Ids{text::kUnknown, text::kEnd, 4});
}

TEST_CASE("a line of two texts parts where it was joined", "[data][text_pair][unit]") {
  CHECK(data::pair_line("a b", "c\td") == "a b\tc\td");
  CHECK(data::pair_line("a\tb", "c") == "a b\tc");
  CHECK(data::pair_line("", "") == "\t");
}

TEST_CASE("half a pair is told", "[data][text_pair][unit]") {
  CHECK_FALSE(data::half_blank("a\tb"));
  for (const auto* line : {"a\t", "\tb", "a", " \tb", "a\t \u3000", ""}) {
    CHECK(data::half_blank(line));
  }
}

TEST_CASE("a prefix stands before the line with a space between", "[data][text_pair][unit]") {
  CHECK(data::prefixed("<2de>", "a") == "<2de> a");
  CHECK(data::prefixed("", "a") == "a");
}
