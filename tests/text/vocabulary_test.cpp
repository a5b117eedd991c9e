#include "text/vocabulary.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "support/catch.h"
#include "support/scratch.h"
#include "text/tokenizer.h"

using heed::test::ContainsSubstring;
namespace text = heed::text;
using Pieces = std::vector<std::string>;

namespace {

text::Vocabulary open(const std::string& bytes) {
  const heed::test::ScratchDirectory scratch;
  heed::write_file(scratch / "vocab.txt", bytes);
  return text::Vocabulary::open(scratch / "vocab.txt");
}

Pieces pieces_of(const text::Vocabulary& vocabulary) {
  Pieces pieces;
  for (int64_t id = 0; id < vocabulary.size(); ++id) pieces.push_back(vocabulary.piece(id));
  return pieces;
}

}  // namespace

TEST_CASE("the special tokens come first, and text never finds them", "[text][vocabulary][unit]") {
  const text::Vocabulary vocabulary({"a", "b"});
  CHECK(pieces_of(vocabulary) == Pieces{"<pad>", "<unk>", "<s>", "</s>", "a", "b"});
  CHECK(vocabulary.id("b") == 5);
  for (const auto* piece : {"<pad>", "<unk>", "<s>", "</s>", "c", ""}) {
    CHECK(vocabulary.id(piece) == text::kUnknown);
  }
  CHECK_THROWS_AS(vocabulary.piece(6), std::out_of_range);
  CHECK_THROWS_AS(vocabulary.piece(-1), std::out_of_range);
  CHECK_THROWS_AS(text::Vocabulary({"a", "a"}), std::logic_error);
}

TEST_CASE("the most frequent pieces are kept, ties by text", "[text][vocabulary][unit]") {
  const std::unordered_map<std::string, int64_t> counts = {
      {"b", 3}, {"a", 3}, {"often", 9}, {"rare", 1}, {"</s>", 50}};
  CHECK(pieces_of(text::Vocabulary::of_counts(counts, 100, 1)) ==
        Pieces{"<pad>", "<unk>", "<s>", "</s>", "often", "a", "b", "rare"});
  CHECK(pieces_of(text::Vocabulary::of_counts(counts, 100, 2)) ==
        Pieces{"<pad>", "<unk>", "<s>", "</s>", "often", "a", "b"});
  CHECK(pieces_of(text::Vocabulary::of_counts(counts, 6, 1)) ==
        Pieces{"<pad>", "<unk>", "<s>", "</s>", "often", "a"});
}

TEST_CASE("a file may list the special tokens in any order, and they get no second id",
          "[text][vocabulary][unit]") {
  const std::string listed = GENERATE(as<std::string>(), "<s>\n</s>\n<pad>\n<unk>\na\nb\n",
                                      "a\n<s>\n</s>\nb\n<pad>\n<unk>", "a\nb\n");
  const auto vocabulary = open(listed);
  CHECK(pieces_of(vocabulary) == Pieces{"<pad>", "<unk>", "<s>", "</s>", "a", "b"});
  CHECK(open(vocabulary.lines()).lines() == vocabulary.lines());
}

TEST_CASE("escapes are read in heed's own files only", "[text][vocabulary][unit]") {
  const std::string listed = "\\u0041\n\\\\\na\\b\n";
  CHECK(pieces_of(open(listed)) ==
        Pieces{"<pad>", "<unk>", "<s>", "</s>", "\\u0041", "\\\\", "a\\b"});
  CHECK(pieces_of(open("<pad>\n<unk>\n<s>\n</s>\n" + listed)) ==
        Pieces{"<pad>", "<unk>", "<s>", "</s>", "A", "\\", "a\\b"});
  CHECK(open(open(listed).lines()).lines() == open(listed).lines());
}

TEST_CASE("counts behind the pieces are passed over", "[text][vocabulary][unit]") {
  const auto vocabulary = open("the 120\n7 33\nco@@ 5\nb\t2\nx\n");
  CHECK(pieces_of(vocabulary) ==
        Pieces{"<pad>", "<unk>", "<s>", "</s>", "the", "7", "co@@", "b", "x"});
  CHECK_THROWS_WITH(open("a 1\n 5\n"), ContainsSubstring("vocab.txt:2: "));
  CHECK_THROWS_WITH(open("a 1\nb 5x\n"), ContainsSubstring("vocab.txt:2: "));
  CHECK_THROWS_WITH(open("a 1\nb c 5\n"), ContainsSubstring("vocab.txt:2: "));
  CHECK_THROWS_WITH(open("a 1\na 5\n"), ContainsSubstring("vocab.txt:2: "));
}

TEST_CASE("an empty, blank or repeated line is named and shifts no id",
          "[text][vocabulary][unit]") {
  CHECK_THROWS_WITH(open("<pad>\n<unk>\n<s>\n</s>\na\n\nb\n"), ContainsSubstring("vocab.txt:6: "));
  CHECK_THROWS_WITH(open("a\n \nb\n"), ContainsSubstring("vocab.txt:2: "));
  CHECK_THROWS_WITH(open("a\nb\nc d\n"), ContainsSubstring("vocab.txt:3: "));
  CHECK_THROWS_WITH(open("a\nb\na\n"), ContainsSubstring("vocab.txt:3: "));
  CHECK_THROWS_WITH(open("<s>\na\n<s>\n"), ContainsSubstring("vocab.txt:3: "));
  CHECK_THROWS_WITH(open(""), ContainsSubstring("vocab.txt: "));
  CHECK_THROWS_AS(open("a\n\n"), heed::DataError);
}

TEST_CASE("pieces that break parsers and lines come back as they were",
          "[text][vocabulary][unit]") {
  const Pieces pieces = {"`",      ":",       "#",    "\"",         "\\",     "~",      "&",
                         "{",      "null",    "true", "1e5",        "\u0085", "\u2028", "\u200E",
                         "\u00AD", "\\u2028", "a\nb", "\U000E0001", "\r",     " ",      "\\\\"};
  const text::Vocabulary vocabulary(pieces);
  const auto file = vocabulary.lines();
  CHECK(std::count(file.begin(), file.end(), '\n') == vocabulary.size());
  CHECK(file.find("\\u2028\n") != std::string::npos);
  for (const char c : file) CHECK((c == '\n' || static_cast<unsigned char>(c) >= 0x20));
  CHECK(pieces_of(open(file)) == pieces_of(vocabulary));
}

TEST_CASE("a backslash that begins no escape is itself", "[text][vocabulary][unit]") {
  for (const auto* line : {"\\", "\\x", "\\u12", "\\uXYZW", "a\\", "\\U0001"}) {
    CHECK(text::unescape_piece(line) == line);
  }
  CHECK(text::unescape_piece("\\\\u0041") == "\\u0041");
  CHECK(text::unescape_piece("\\u0041\\U00000042") == "AB");
}
