#include "data/table.h"

#include <string>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "support/catch.h"
#include "support/scratch.h"

using heed::test::ContainsSubstring;
namespace data = heed::data;

namespace {

data::Table read(const std::string& bytes, const heed::config::Data& config = {}) {
  const heed::test::ScratchDirectory scratch;
  heed::write_file(scratch / "train.tsv", bytes);
  return data::read_table((scratch / "train.tsv").string(), config);
}

}  // namespace

TEST_CASE("without names the columns are label and text", "[data][table][unit]") {
  const auto table = read("pos\tgood film\nneg\tbad\xff one\r\n");
  REQUIRE(table.records.size() == 2);
  CHECK(table.records[0].label == "pos");
  CHECK(table.records[0].text == "good film");
  CHECK(table.records[0].line == 1);
  CHECK(table.records[1].text == "bad\uFFFD one");
  CHECK(table.replaced == 1);
}

TEST_CASE("a header names the columns, in any order", "[data][table][unit]") {
  const auto table = read("id\ttext\tlabel\n1\tgood\tpos\n2\tbad\tneg\n");
  REQUIRE(table.records.size() == 2);
  CHECK(table.records[0].label == "pos");
  CHECK(table.records[0].text == "good");
  CHECK(table.records[0].line == 2);
}

TEST_CASE("the config names the columns of a file without a header", "[data][table][unit]") {
  heed::config::Data config;
  config.columns = {"class", "title", "body"};
  config.text = {"title", "body"};
  config.label = "class";
  const auto table = read("2\tA title\tIts body\n", config);
  REQUIRE(table.records.size() == 1);
  CHECK(table.records[0].text == "A title Its body");
  CHECK(table.records[0].label == "2");

  config.columns.clear();
  CHECK_THROWS_WITH(read("2\tA title\tIts body\n", config), ContainsSubstring("data.columns"));
}

TEST_CASE("a record with another number of columns is named by its line", "[data][table][unit]") {
  CHECK_THROWS_WITH(read("a\tx\nb\ty\tz\n"),
                    ContainsSubstring("train.tsv:2: 3 columns, expected 2 (label, text)"));
  CHECK_THROWS_WITH(read("a\tx\n\nb\ty\n"), ContainsSubstring("train.tsv:2: 1 columns"));
  CHECK_THROWS_WITH(read("no tab here\n"), ContainsSubstring("train.tsv:1: "));
  CHECK_THROWS_WITH(read("a\tx\n \ty\n"), ContainsSubstring("train.tsv:2: an empty label"));
  CHECK_THROWS_WITH(read(""), ContainsSubstring("train.tsv: "));
  CHECK_THROWS_WITH(read("label\ttext\n"), ContainsSubstring("train.tsv: "));
  CHECK_THROWS_AS(read("a\n"), heed::DataError);
}

TEST_CASE("labels are sorted, each once", "[data][table][unit]") {
  CHECK(data::label_table(read("b\tx\na\ty\nb\tz\nB\tz\n")) ==
        std::vector<std::string>{"B", "a", "b"});
}
