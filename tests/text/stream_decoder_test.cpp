#include "text/stream_decoder.h"

#include <filesystem>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/utf8.h"
#include "support/catch.h"
#include "text/sentencepiece_tokenizer.h"

namespace text = heed::text;
namespace fs = std::filesystem;

namespace {

std::shared_ptr<const text::Tokenizer> tokenizer_of(const std::string& type,
                                                    const std::string& line) {
  if (type == "bytes") {
    const auto file = fs::path(HEED_SOURCE_DIR) / "tests/golden/text_bytes.model";
    return std::make_shared<text::SentencePieceTokenizer>(heed::read_file(file), false, "bytes");
  }
  heed::config::Tokenizer config{.type = type, .vocab_size = 200};
  return text::make_tokenizer(config, {line, "all that is known, and more", "Kim Dear"});
}

}  // namespace

TEST_CASE("a stream is the text decoded at once, and always whole characters",
          "[text][stream_decoder][property]") {
  const auto type =
      GENERATE(as<std::string>(), "bpe", "unigram", "word", "char", "whitespace", "bytes");
  const std::string line = GENERATE(
      as<std::string>(), "Dear Kim, I hope you are well.", "Vor- und Nachteile \"so\" - ja",
      "天气 😀 東京 naïve cafe\u0301", "x", "10:30 (or 5 - 7)!", "\uFFFD a \uFFFD");
  const auto tokenizer = tokenizer_of(type, line);
  const auto ids = tokenizer->encode(line);
  text::StreamDecoder stream(*tokenizer);
  for (int round = 0; round < 2; ++round) {
    std::string streamed;
    for (const auto id : ids) {
      const auto grown = stream.push(id);
      int64_t replaced = 0;
      heed::valid_utf8(grown, &replaced);
      CHECK(replaced == 0);
      streamed += grown;
    }
    streamed += stream.finish();
    CHECK(streamed == tokenizer->decode(ids));
  }
}

TEST_CASE("text comes as early as it is sure", "[text][stream_decoder][unit]") {
  const auto tokenizer = tokenizer_of("word", "a b c");
  text::StreamDecoder stream(*tokenizer);
  const auto ids = tokenizer->encode("a b c");
  CHECK(stream.push(ids[0]).empty());
  CHECK(stream.push(ids[1]) == "a");
  CHECK(stream.push(ids[2]) == " b");
  CHECK(stream.finish() == " c");
  CHECK(stream.finish().empty());
}

TEST_CASE("an unfinished character is replaced at the end", "[text][stream_decoder][unit]") {
  const auto tokenizer = tokenizer_of("bytes", "");
  auto ids = tokenizer->encode("東");
  ids.pop_back();  // its last byte
  text::StreamDecoder stream(*tokenizer);
  std::string streamed;
  for (const auto id : ids) streamed += stream.push(id);
  CHECK(streamed.find("\uFFFD") == streamed.npos);
  streamed += stream.finish();
  CHECK(streamed == tokenizer->decode(ids));
  CHECK(streamed.find("\uFFFD") != streamed.npos);
}
