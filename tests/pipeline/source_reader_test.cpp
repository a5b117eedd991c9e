#include "pipeline/source_reader.h"

#include "pipeline/tiny_run.h"
#include "support/catch.h"

namespace heed::pipeline {
namespace {

std::vector<std::string> pieces(const std::vector<text::Token>& tokens) {
  std::vector<std::string> pieces;
  for (const auto& token : tokens) pieces.push_back(token.piece);
  return pieces;
}

std::vector<int64_t> ids(const std::vector<text::Token>& tokens) {
  std::vector<int64_t> ids;
  for (const auto& token : tokens) ids.push_back(token.id);
  return ids;
}

using Pieces = std::vector<std::string>;

TEST_CASE("a plain line is read as it is", "[pipeline][source_reader][unit]") {
  const auto tokenizers = test::tiny_tokenizers(test::tiny_config("classify"));
  const SourceReader reader(tokenizers.source);
  REQUIRE(reader.text("the dog") == "the dog");
  REQUIRE(reader.encode("the dog") == tokenizers.source->encode("the dog"));
  REQUIRE(pieces(reader.tokens("the dog")) == Pieces{"the", "dog"});
}

TEST_CASE("a prefix stands before every line", "[pipeline][source_reader][unit]") {
  const auto tokenizers = test::tiny_tokenizers(test::tiny_config("translate"));
  config::Data data;
  data.source_prefix = "we see";
  const SourceReader reader(tokenizers.source, data);
  REQUIRE(reader.text("the dog") == "we see the dog");
  REQUIRE(reader.encode("the dog") == tokenizers.source->encode("we see the dog"));
  REQUIRE(pieces(reader.tokens("the dog")) == Pieces{"we", "see", "the", "dog"});
}

TEST_CASE("two texts are parted by </s>, and ranges count from the line's start",
          "[pipeline][source_reader][unit]") {
  const auto tokenizers = test::tiny_tokenizers(test::tiny_config("classify"));
  config::Data data;
  data.second = "second";
  const SourceReader reader(tokenizers.source, data);
  const std::string line = "the dog\tan old bird";
  const auto tokens = reader.tokens(line);
  REQUIRE(pieces(tokens) == Pieces{"the", "dog", "</s>", "an", "old", "bird"});
  REQUIRE(ids(tokens) == reader.encode(line));
  REQUIRE(tokens[2].begin == tokens[2].end);
  REQUIRE(line.substr(tokens[4].begin, tokens[4].end - tokens[4].begin) == "old");
  REQUIRE(ids(reader.tokens("the dog")) == reader.encode("the dog"));
}

}  // namespace
}  // namespace heed::pipeline
