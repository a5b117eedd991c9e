#include "config/data.h"

#include "base/error.h"
#include "config/example.h"
#include "support/catch.h"

namespace heed::config {
namespace {

std::string fault(const Data& data) {
  return test::fault_of<ConfigError>([&] { data.check("data"); });
}

TEST_CASE("the formats that can be read are listed", "[config][data][unit]") {
  REQUIRE(fault(Data{}).empty());
  REQUIRE(fault({.format = "xlsx"}) ==
          "data.format: there is no 'xlsx'; did you mean 'tsv'? There are tsv, csv, jsonl");
}

TEST_CASE("a delimiter is one character of a format that has one", "[config][data][unit]") {
  REQUIRE(Data{}.field_delimiter() == "\t");
  REQUIRE(Data{.format = "csv"}.field_delimiter() == ",");
  REQUIRE(Data{.format = "csv", .delimiter = ";"}.field_delimiter() == ";");
  REQUIRE(fault({.format = "csv", .delimiter = "\u00A6"}).empty());
  REQUIRE(fault({.format = "tsv", .delimiter = "|"}).empty());
  for (const auto* bad : {"||", "\"", "\n", "\r"}) {
    REQUIRE_THAT(fault({.format = "csv", .delimiter = bad}),
                 test::ContainsSubstring("data.delimiter: must be one character"));
  }
  REQUIRE_THAT(fault({.format = "jsonl", .delimiter = ";"}),
               test::ContainsSubstring("data.delimiter: jsonl has none"));
  REQUIRE_THAT(fault({.format = "jsonl", .columns = {"text", "label"}}),
               test::ContainsSubstring("data.columns: jsonl names its own"));
}

TEST_CASE("a second text is among the columns, too", "[config][data][unit]") {
  REQUIRE(fault({.columns = {"label", "text", "b"}, .second = "b"}).empty());
  REQUIRE_THAT(fault({.columns = {"label", "text", "b"}, .second = "c"}),
               test::ContainsSubstring("data.second: there is no 'c'"));
}

TEST_CASE("each source needs its target, and a file its name", "[config][data][unit]") {
  const auto split_fault = [](const Split& split) {
    return test::fault_of<ConfigError>([&] { split.check("data.train"); });
  };
  REQUIRE(split_fault({.source = {"a", "b"}, .target = {"c", "d"}}).empty());
  REQUIRE(split_fault({.source = {"a", "b"}, .target = "c"}) ==
          "data.train.target: must be as many files as data.train.source, which are 2, got 1");
  REQUIRE(split_fault({.file = {"a", ""}}) == "data.train.file: a name in the list is empty");
}

TEST_CASE("a ratio of lengths is none below 1", "[config][data][unit]") {
  for (const double ratio : {0.0, 1.0, 2.5}) REQUIRE(fault({.max_ratio = ratio}).empty());
  REQUIRE_THAT(fault({.max_ratio = 0.5}),
               test::ContainsSubstring("data.max_ratio: must be 0 (any) or at least 1"));
}

TEST_CASE("a prefix stays on its line", "[config][data][unit]") {
  REQUIRE(fault({.source_prefix = "<2de>", .target_prefix = "a b"}).empty());
  REQUIRE_THAT(fault({.source_prefix = "a\nb"}),
               test::ContainsSubstring("data.source_prefix: must not hold a line end"));
}

TEST_CASE("text and label are among the columns where these are named", "[config][data][unit]") {
  REQUIRE(fault({.columns = {"label", "id", "text"}}).empty());
  REQUIRE(fault({.columns = {"y", "a", "b"}, .text = {"a", "b"}, .label = "y"}).empty());
  REQUIRE_THAT(fault({.columns = {"label", "texts"}}),
               test::ContainsSubstring("data.text: there is no 'text'; did you mean 'texts'?"));
  REQUIRE_THAT(fault({.columns = {"labels", "text"}}),
               test::ContainsSubstring("data.label: there is no 'label'"));
  REQUIRE_THAT(fault({.text = {}}), test::ContainsSubstring("data.text: must name at least one"));
  REQUIRE(fault({.columns = {"text", "label", "text"}}) == "data.columns: 'text' is there twice");
}

}  // namespace
}  // namespace heed::config
