#include "data/growing_corpus.h"

#include <future>
#include <stdexcept>

#include "base/error.h"
#include "data/examples.h"
#include "data/line_encoders.h"
#include "support/catch.h"

using heed::test::ContainsSubstring;
namespace data = heed::data;

namespace {

class Broken final : public data::LineEncoder {
 public:
  explicit Broken(int64_t at) : at_(at) {}
  int64_t lines() const override { return 1000; }
  int64_t sides() const override { return 1; }
  const std::string& text(int64_t, int64_t) const override { return text_; }
  data::FoundLines::Line place(int64_t, int64_t) const override { return {}; }
  data::LineExample encode(int64_t line) const override {
    if (line == at_) throw std::runtime_error("no memory");
    return {.example = {.source = {5}, .target = {6}, .index = line}};
  }
  data::Example sample(int64_t, heed::Random&) const override { return {}; }
  void forget(int64_t, int64_t) override {}

 private:
  int64_t at_;
  std::string text_;
};

data::GrowingCorpus::Options options(int64_t block_lines, int64_t threads = 2) {
  return {.file = "f", .block_lines = block_lines, .threads = threads};
}

}  // namespace

TEST_CASE("a corpus holds its lines in order, whatever the blocks and threads",
          "[data][growing_corpus][property]") {
  const auto block_lines = GENERATE(1, 7, 100, 5000);
  const auto threads = GENERATE(1, 3);
  const data::GrowingCorpus corpus(std::make_unique<data::test::SlowEncoder>(1234, 0), {},
                                   options(block_lines, threads));
  CHECK(corpus.size() == 1234 - 123);
  CHECK(corpus.complete());
  CHECK(corpus.left_out().empty.count == 123);
  CHECK(corpus.left_out().empty.first.at(1).number == 20);
  int64_t place = 0;
  for (int64_t line = 0; line < 1234; ++line) {
    if (line % 10 == 9) continue;
    const auto example = corpus.example(place++, 0);
    REQUIRE(example.index == line);
    REQUIRE(std::ssize(example.source) == 1 + line % 7);
    REQUIRE(std::ssize(example.target) == 1 + line % 9);
  }
  int64_t shapes = 0;
  for (int64_t block = 0; block < corpus.blocks(); ++block) {
    CHECK(corpus.first(block) == shapes);
    shapes += std::ssize(corpus.shapes(block));
  }
  CHECK(shapes == corpus.size());
}

TEST_CASE("a corpus of one block is there as a whole", "[data][growing_corpus][unit]") {
  const auto corpus = data::test::slow_corpus(300, 1000, 1);
  CHECK(corpus->blocks() == 1);
  CHECK(corpus->complete());
  const data::GrowingCorpus given(data::test::caption_examples(5, 1));
  CHECK(given.complete());
  CHECK(given.size() == 5);
  CHECK(given.example(2, 7).source == data::test::caption_examples(5, 1)[2].source);
}

TEST_CASE("what is left out is told when all lines are there, once",
          "[data][growing_corpus][unit]") {
  const auto corpus = data::test::slow_corpus(640, 64, 2);
  std::promise<int64_t> told;
  corpus->when_complete(
      [&](const data::LeftOuts& left_out) { told.set_value(left_out.empty.count); });
  CHECK(told.get_future().get() == 64);

  int64_t at_once = 0;
  corpus->left_out();
  corpus->when_complete([&](const data::LeftOuts& left_out) { at_once += left_out.empty.count; });
  CHECK(at_once == 64);
}

TEST_CASE("a corpus may be left while it grows", "[data][growing_corpus][property]") {
  for (int64_t i = 0; i < 20; ++i) {
    const auto corpus = data::test::slow_corpus(4000, 64, 1);
    CHECK(corpus->ready(0));
  }
}

TEST_CASE("a fault in the background comes out where the block is asked for",
          "[data][growing_corpus][unit]") {
  CHECK_THROWS_WITH(data::GrowingCorpus(std::make_unique<Broken>(3), {}, options(100)),
                    ContainsSubstring("no memory"));
  const data::GrowingCorpus corpus(std::make_unique<Broken>(555), {}, options(100));
  CHECK(corpus.shapes(4).size() == 100);
  CHECK_THROWS_WITH(corpus.shapes(5), ContainsSubstring("no memory"));
  CHECK_THROWS_WITH(corpus.size(), ContainsSubstring("no memory"));
}

TEST_CASE("a corpus without an example is refused, one that begins with none is not",
          "[data][growing_corpus][unit]") {
  heed::config::Tokenizer config;
  config.type = "whitespace";
  const auto tokenizer = heed::text::make_tokenizer(config, {"a b"});
  const auto corpus_of = [&](std::vector<std::string> source) {
    data::Pairs pairs{.source_file = "f.en", .target_file = "f.de", .source = {}, .target = {}};
    pairs.target.assign(source.size(), "a");
    pairs.source = std::move(source);
    const heed::config::Data data_config;
    return std::make_unique<data::GrowingCorpus>(
        data::pair_encoder(std::move(pairs), {tokenizer, tokenizer}, data_config), data_config,
        options(2));
  };
  std::vector<std::string> lines(9, "");
  CHECK_THROWS_AS(corpus_of(lines), heed::DataError);
  CHECK_THROWS_WITH(corpus_of(lines), ContainsSubstring("f: none of 9 lines can be used") &&
                                          ContainsSubstring("f.en:1"));
  lines[7] = "b a";
  const auto corpus = corpus_of(lines);
  CHECK(corpus->size() == 1);
  CHECK(corpus->example(0, 0).source == std::vector<int64_t>{5, 4});
}
