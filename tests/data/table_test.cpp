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
  CHECK_THROWS_WITH(read("a\tx\nx\nb\ty\n"), ContainsSubstring("train.tsv:2: 1 column, expected"));
  CHECK_THROWS_WITH(read("no tab here\n"), ContainsSubstring("train.tsv:1: "));
  CHECK_THROWS_WITH(read("a\tx\n \ty\n"), ContainsSubstring("train.tsv:2: an empty label"));
  CHECK_THROWS_WITH(read(""), ContainsSubstring("train.tsv: "));
  CHECK_THROWS_WITH(read("label\ttext\n"), ContainsSubstring("train.tsv: "));
  CHECK_THROWS_AS(read("a\n"), heed::DataError);
}

TEST_CASE("csv has a header or columns named by the config", "[data][table][unit]") {
  heed::config::Data config;
  config.format = "csv";
  const auto table = read("text,label\r\n\"a, \"\"b\"\"\nc\",neg\r\nplain,pos\r\n", config);
  REQUIRE(table.records.size() == 2);
  CHECK(table.records[0].text == "a, \"b\"\nc");
  CHECK(table.records[0].label == "neg");
  CHECK(table.records[1].line == 4);
  CHECK_THROWS_WITH(read("neg,plain\n", config),
                    ContainsSubstring("train.tsv:1: no columns 'label', 'text' in 'neg,plain'"));

  CHECK_THROWS_WITH(read("text,lable\na,b\n", config),
                    ContainsSubstring("train.tsv:1: no column 'label' in 'text,lable'; did you "
                                      "mean 'lable'? Set data.text and data.label"));
  config.second = "other";
  CHECK_THROWS_WITH(read("label,txt\na,b\n", config),
                    ContainsSubstring("no columns 'text', 'other' in 'label,txt'; did you mean "
                                      "'txt'? Set data.text, data.second and data.label"));
  config.second.clear();

  config.delimiter = ";";
  CHECK(read("label;text\nx;\"hi; I am\n\"\"why\"\" not\"\n", config).records.at(0).text ==
        "hi; I am\n\"why\" not");

  config.delimiter = "";
  config.columns = {"class", "title", "description"};
  config.text = {"title", "description"};
  config.label = "class";
  const auto news = read("\"3\",\"A title\",\"Its text\"\n\"4\",\"\",\"No title\"\n", config);
  CHECK(news.records.at(0).text == "A title Its text");
  CHECK(news.records.at(0).label == "3");
  CHECK(news.records.at(1).text == "No title");
}

TEST_CASE("a header that says what the config says is no record", "[data][table][unit]") {
  heed::config::Data config;
  config.columns = {"text", "label"};
  CHECK(read("text\tlabel\na\tx\n", config).records.size() == 1);
  CHECK(read("a\tx\n", config).records.size() == 1);
}

TEST_CASE("json lines give the same table", "[data][table][unit]") {
  heed::config::Data config;
  config.format = "jsonl";
  config.text = {"title", "body"};
  const auto table = read("{\"label\": 1, \"title\": \"a\", \"body\": \"b\"}\n", config);
  CHECK(table.records.at(0).text == "a b");
  CHECK(table.records.at(0).label == "1");
  CHECK_THROWS_WITH(read("", config), ContainsSubstring("train.tsv: no lines"));
  CHECK_THROWS_WITH(read("{\"label\": \" \", \"title\": \"a\", \"body\": \"b\"}\n", config),
                    ContainsSubstring("train.tsv:1: an empty label"));
}

TEST_CASE("a label that would break lines and tables is refused by its line",
          "[data][table][unit]") {
  heed::config::Data config;
  config.format = "csv";
  CHECK_THROWS_WITH(read("text,label\na,x\nb,\"x\ny\"\n", config),
                    ContainsSubstring("train.tsv:3: the label 'x\\x0ay' holds a line end"));
  config.format = "jsonl";
  for (const auto* label : {"x\\ny", "x\\ty", "x\\u0000y", "x\\u0085y", "x\\u2028y"}) {
    CAPTURE(label);
    const auto line = std::string("{\"text\": \"a\", \"label\": \"") + label + "\"}\n";
    CHECK_THROWS_WITH(read(line, config), ContainsSubstring("train.tsv:1: the label 'x"));
    CHECK_THROWS_AS(read(line, config), heed::DataError);
  }
  config.format = "tsv";
  CHECK(read("a b\tx\n", config).records.at(0).label == "a b");
}

TEST_CASE("blank lines are no records", "[data][table][unit]") {
  heed::config::Data config;
  for (const auto* held : {"a\tx\n\n  \nb\ty\n\n", "\na\tx\n\n\nb\ty\n"}) {
    const auto table = read(held, config);
    REQUIRE(table.records.size() == 2);
    CHECK(table.records[1].line == (held[0] == 'a' ? 4 : 5));
  }
  CHECK_THROWS_WITH(read("\n \n"), ContainsSubstring("train.tsv: no lines"));
  CHECK_THROWS_WITH(read("a\tx\n\t\n"), ContainsSubstring("train.tsv:2: an empty label"));
}

TEST_CASE("a second text stands behind a tab", "[data][table][unit]") {
  heed::config::Data config;
  config.second = "other";
  CHECK(read("label\tother\ttext\nx\tb\ta\n", config).records.at(0).text == "a\tb");
  CHECK(read("x\ta\tb\n", config).records.at(0).text == "a\tb");  // label, text, second
  config.format = "jsonl";
  CHECK(
      read("{\"label\": 1, \"other\": \"b\", \"text\": \"a\\tc\"}\n", config).records.at(0).text ==
      "a c\tb");
}

TEST_CASE("several files are one table, each with its own lines and header",
          "[data][table][unit]") {
  const heed::test::ScratchDirectory scratch;
  const auto first = (scratch / "a.tsv").string(), second = (scratch / "b.tsv").string();
  heed::write_file(first, "x\t1\ny\t2\n");
  heed::write_file(second, "text\tlabel\n3\tx\n4\tz\n");
  const auto table = data::read_table({first, second}, {});
  REQUIRE(table.records.size() == 4);
  CHECK(table.records[3].label == "z");
  CHECK(table.records[3].line == 3);
  CHECK(table.file_of(table.records[1]) == first);
  CHECK(table.file_of(table.records[2]) == second);
  heed::write_file(second, "text\tlabel\n3\n");
  CHECK_THROWS_WITH(data::read_table({first, second}, {}),
                    ContainsSubstring("b.tsv:2: 1 column, expected"));
}

TEST_CASE("labels are sorted, each once", "[data][table][unit]") {
  CHECK(data::label_table(read("b\tx\na\ty\nb\tz\nB\tz\n")) ==
        std::vector<std::string>{"B", "a", "b"});
}
