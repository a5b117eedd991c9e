#include "data/json_records.h"

#include "base/error.h"
#include "base/files.h"
#include "support/catch.h"
#include "support/scratch.h"

using heed::test::ContainsSubstring;
namespace data = heed::data;

namespace {

std::vector<data::JsonRecord> read(const std::string& bytes,
                                   const std::vector<std::string>& texts = {"text"}) {
  const heed::test::ScratchDirectory scratch;
  heed::write_file(scratch / "f.jsonl", bytes);
  data::JsonRecordReader reader((scratch / "f.jsonl").string(), texts, "label");
  std::vector<data::JsonRecord> all;
  while (auto record = reader.next()) all.push_back(std::move(*record));
  return all;
}

}  // namespace

TEST_CASE("each line is an object with the keys that are asked for", "[data][json_records][unit]") {
  const auto all = read(
      "{\"text\": \"a \\\"b\\\"\\nc \\u00e4\", \"label\": \"x\", \"more\": [1]}\r\n\n"
      "{\"label\": 1, \"text\": 2.5}\n{\"text\": true, \"label\": false}");
  REQUIRE(all.size() == 3);
  CHECK(all[0].texts == std::vector<std::string>{"a \"b\"\nc ä"});
  CHECK(all[0].label == "x");
  CHECK(all[0].line == 1);
  CHECK(all[1].label == "1");
  CHECK(all[1].texts[0] == "2.5");
  CHECK(all[1].line == 3);
  CHECK(all[2].texts[0] == "true");
  CHECK(all[2].label == "false");

  const auto two = read(R"({"b": "2", "a": "1", "label": ""})", {"a", "b"});
  CHECK(two.at(0).texts == std::vector<std::string>{"1", "2"});
  CHECK(read("").empty());
}

TEST_CASE("what is no record is named by its line", "[data][json_records][unit]") {
  const std::string good = "{\"text\": \"a\", \"label\": \"b\"}\n";
  CHECK_THROWS_AS(read("{"), heed::DataError);
  CHECK_THROWS_WITH(read(good + "{\"text\": "),
                    ContainsSubstring("f.jsonl:2: no valid JSON: syntax error"));
  CHECK_THROWS_WITH(read("{\"text\": \"a\", \"label\": \"b\", \"label\": \"c\"}"),
                    ContainsSubstring("f.jsonl:1: label: given twice"));
  CHECK_THROWS_WITH(read(good + "[1]"), ContainsSubstring("f.jsonl:2: must be a JSON object"));
  CHECK_THROWS_WITH(read("{\"txt\": \"a\", \"label\": \"b\"}"),
                    ContainsSubstring("f.jsonl:1: no 'text'; did you mean 'txt'?"));
  CHECK_THROWS_WITH(read("{}"), ContainsSubstring("f.jsonl:1: no 'label'"));
  CHECK_THROWS_WITH(read("{\"text\": null, \"label\": \"b\"}"),
                    ContainsSubstring("f.jsonl:1: 'text' must be a string or a number, got null"));
  CHECK_THROWS_WITH(read("{\"text\": \"\\ud800\", \"label\": \"b\"}"),
                    ContainsSubstring("f.jsonl:1: no valid JSON"));
}
