#include "text/subword_nmt_tokenizer.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "base/random.h"
#include "base/utf8.h"
#include "support/catch.h"
#include "support/scratch.h"
#include "text/lines.h"

using heed::test::ContainsSubstring;
namespace text = heed::text;
namespace fs = std::filesystem;
using Pieces = std::vector<std::string>;

namespace {

const char* const kCodes = "#version: 0.2\nt h\nth e</w>\no l\nol d</w>\ne r</w>\nd er</w>\n";

std::shared_ptr<const text::MergeCodes> codes(const std::string& bytes = kCodes) {
  return std::make_shared<text::MergeCodes>(bytes, "codes");
}

text::SubwordNmtTokenizer trained(const std::vector<std::string>& lines, int64_t size = 1000,
                                  double dropout = 0.0) {
  return text::SubwordNmtTokenizer::train(codes(), lines, size, 1, {.dropout = dropout});
}

Pieces pieces_of(const text::Tokenizer& tokenizer, const std::string& line) {
  Pieces pieces;
  for (const auto& token : tokenizer.tokens(line)) pieces.push_back(token.piece);
  return pieces;
}

text::Vocabulary vocabulary_in(const std::string& bytes) {
  const heed::test::ScratchDirectory scratch;
  heed::write_file(scratch / "list", bytes);
  return text::Vocabulary::open(scratch / "list");
}

}  // namespace

TEST_CASE("pieces are those of subword-nmt", "[text][subword_nmt_tokenizer][golden]") {
  const auto golden = nlohmann::json::parse(
      heed::read_file(fs::path(HEED_SOURCE_DIR) / "tests/golden/text_subword_nmt.json"));
  for (const auto& [name, expected] : golden.items()) {
    const auto merges = codes(expected["codes"].get<std::string>());
    std::vector<std::string> lines;
    for (const auto& item : expected["lines"]) lines.push_back(item[0].get<std::string>());
    const auto tokenizer =
        expected.contains("vocabulary")
            ? text::SubwordNmtTokenizer(
                  merges, vocabulary_in(expected["vocabulary"].get<std::string>()), {})
            : text::SubwordNmtTokenizer::train(merges, lines, 100'000, 1, {});
    for (const auto& item : expected["lines"]) {
      INFO(name << ": '" << item[0] << "'");
      CHECK(pieces_of(tokenizer, item[0].get<std::string>()) == item[1].get<Pieces>());
    }
  }
}

TEST_CASE("merging the joined text of Multi30k gives its segmented files back",
          "[text][subword_nmt_tokenizer][golden]") {
  const auto* data = std::getenv("HEED_DATA");
  const auto folder = fs::path(data == nullptr ? "" : data) / "multi30k_bpe";
  if (data == nullptr || !fs::exists(folder / "code")) {
    WARN("skipped: HEED_DATA names no folder with multi30k_bpe");
    return;
  }
  const auto merges = codes(heed::read_file(folder / "code"));
  for (const auto* name : {"valid.en", "valid.de", "test.2016.en", "test.2016.de", "test.2017.de",
                           "test.coco.en", "test.coco.de", "train.en.gz", "train.de.gz"}) {
    int64_t replaced = 0;
    auto segmented = text::read_lines((folder / name).string(), &replaced);
    std::vector<std::string> joined;
    for (auto& line : segmented)
      line.erase(line.find_last_not_of(' ') + 1);  // one ends with a space
    for (auto line : segmented) {
      for (auto at = line.find("@@ "); at != line.npos; at = line.find("@@ ", at))
        line.erase(at, 3);
      joined.push_back(std::move(line));
    }
    const auto tokenizer = text::SubwordNmtTokenizer::train(merges, joined, 1 << 20, 1, {});
    int64_t different = 0, undone = 0;
    for (std::size_t i = 0; i < joined.size(); ++i) {
      std::string line;
      for (const auto& piece : pieces_of(tokenizer, joined[i])) line += piece + ' ';
      if (!line.empty()) line.pop_back();
      different += line != segmented[i];
      undone += tokenizer.decode(tokenizer.encode(joined[i])) != joined[i];
    }
    INFO(name);
    CHECK(different == 0);
    CHECK(undone == 0);
  }
}

TEST_CASE("decoding joins the pieces", "[text][subword_nmt_tokenizer][unit]") {
  const auto tokenizer = trained({"the older theold", "axb b"});
  for (const auto* line : {"the older theold", "old the", "axb", ""}) {
    CHECK(tokenizer.decode(tokenizer.encode(line)) == line);
  }
  CHECK(pieces_of(tokenizer, "theold the") == Pieces{"th@@", "e@@", "old", "the"});
  auto cut = tokenizer.encode("theold");
  cut.pop_back();
  CHECK(tokenizer.decode(cut) == "the");  // no joiner is left at the end
  cut.insert(cut.begin(), text::kBegin);
  cut.insert(cut.end(), {text::kEnd, text::kPad});
  CHECK(tokenizer.decode(cut) == "the");
}

TEST_CASE("tokens name the code points they cover", "[text][subword_nmt_tokenizer][unit]") {
  const auto tokenizer = trained({"the olderä xx"});
  const std::string line = "  the\u3000olderäß! the";
  const auto characters = heed::code_points(line);
  std::u32string covered;
  int64_t reached = 0;
  std::vector<int64_t> ids;
  for (const auto& token : tokenizer.tokens(line)) {
    CHECK(token.begin >= reached);
    covered += characters.substr(token.begin, token.end - token.begin);
    reached = token.end;
    ids.push_back(token.id);
  }
  CHECK((covered == U"theolderäß!the"));
  CHECK(tokenizer.encode(line) == ids);
}

TEST_CASE("special tokens in a text are cut like any word", "[text][subword_nmt_tokenizer][unit]") {
  const std::string hostile = "the </s> <s> <pad> <unk> [MASK] old";
  const auto tokenizer = trained({hostile});
  for (const auto id : tokenizer.encode(hostile)) {
    CHECK((id == text::kUnknown || id >= text::kSpecials));
  }
  CHECK(tokenizer.decode(tokenizer.encode("the </s> old")) == "the </s> old");
}

TEST_CASE("dropout gives other pieces of the same text, 1 gives characters",
          "[text][subword_nmt_tokenizer][unit]") {
  const std::string letters = "t h e o l d r older the a b x theolder tx hx ex ox lx dx rx";
  const auto half = trained({letters}, 1000, 0.5);
  heed::Random random({4});
  std::set<std::vector<int64_t>> different;
  for (int i = 0; i < 100; ++i) {
    const auto ids = half.sample("the older theolder", random);
    CHECK(half.decode(ids) == "the older theolder");
    different.insert(ids);
  }
  CHECK(different.size() > 5);

  heed::Random first({8}), second({8});
  CHECK(half.sample("theolder the", first) == half.sample("theolder the", second));

  const auto all = trained({letters}, 1000, 1.0);
  CHECK(all.sample("the", random).size() == 3);
  const auto none = trained({letters});
  CHECK(none.sample("the older", random) == none.encode("the older"));
}

TEST_CASE("sizes bound the vocabulary, and what it lacks is taken apart",
          "[text][subword_nmt_tokenizer][unit]") {
  const text::SubwordNmtTokenizer tokenizer(codes(),
                                            vocabulary_in("th@@ 9\ne 5\no@@ 3\nl@@ 3\nd 2\n"), {});
  CHECK(tokenizer.size() == text::kSpecials + 5);
  CHECK(pieces_of(tokenizer, "the old") == Pieces{"th@@", "e", "o@@", "l@@", "d"});
  CHECK(pieces_of(tokenizer, "q") == Pieces{"<unk>"});
  CHECK(trained({"the the old a"}, 6).size() == 6);
  CHECK_THROWS_WITH(text::SubwordNmtTokenizer::train(codes(), {"a"}, 10, 2, {}),
                    ContainsSubstring("min_count"));
}
