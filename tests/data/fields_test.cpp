#include "data/fields.h"

#include "base/error.h"
#include "base/files.h"
#include "support/catch.h"
#include "support/scratch.h"

using heed::test::ContainsSubstring;
namespace data = heed::data;
using Values = std::vector<std::string>;

namespace {

template <typename Reader>
std::vector<data::Fields> read(const std::string& bytes, const std::string& delimiter) {
  const heed::test::ScratchDirectory scratch;
  heed::write_file(scratch / "f.csv", bytes);
  Reader reader((scratch / "f.csv").string(), delimiter);
  std::vector<data::Fields> all;
  while (auto fields = reader.next()) all.push_back(std::move(*fields));
  return all;
}

std::vector<data::Fields> csv(const std::string& bytes, const std::string& delimiter = ",") {
  return read<data::CsvReader>(bytes, delimiter);
}

std::string quoted(const std::string& value) {
  std::string out = "\"";
  for (const char c : value) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + '"';
}

}  // namespace

TEST_CASE("plain fields stand between delimiters, whatever they hold", "[data][fields][unit]") {
  const auto rows = read<data::PlainFieldReader>("a\t\"b\n\tx\"\t\n\n \nc\n\t\n", "\t");
  REQUIRE(rows.size() == 4);
  CHECK(rows[0].values == Values{"a", "\"b"});
  CHECK(rows[1].values == Values{"", "x\"", ""});
  CHECK(rows[2].values == Values{"c"});
  CHECK(rows[2].line == 5);
  CHECK(rows[3].values == Values{"", ""});
}

TEST_CASE("a quoted field holds line ends, delimiters and quotes", "[data][fields][unit]") {
  const auto rows = csv(
      "text,label\r\n\"He said \"\"go, now\"\", and left\",neg\r\n\"line one\nline two\",pos\r\n"
      "plain,pos\r\n");
  REQUIRE(rows.size() == 4);
  CHECK(rows[1].values == Values{"He said \"go, now\", and left", "neg"});
  CHECK(rows[2].values == Values{"line one\nline two", "pos"});
  CHECK(rows[2].line == 3);
  CHECK(rows[3].values == Values{"plain", "pos"});
  CHECK(rows[3].line == 5);

  const auto others = csv("label;text\nx;\"hi; I am\n\"\"why\"\" not\"\n", ";");
  REQUIRE(others.size() == 2);
  CHECK(others[1].values == Values{"x", "hi; I am\n\"why\" not"});
}

TEST_CASE("empty fields and lines, and quotes that are text", "[data][fields][unit]") {
  const auto rows = csv("a,,\"\"\n\n,\n5\" disk, \"b\"\n\"\"\"\"");
  REQUIRE(rows.size() == 4);
  CHECK(rows[0].values == Values{"a", "", ""});
  CHECK(rows[1].values == Values{"", ""});
  CHECK(rows[1].line == 3);
  CHECK(rows[2].values == Values{"5\" disk", " \"b\""});
  CHECK(rows[3].values == Values{"\""});
  CHECK(csv("").empty());
  CHECK(csv("\n\n").empty());
}

TEST_CASE("a quote without an end is named where it opened", "[data][fields][unit]") {
  CHECK_THROWS_AS(csv("a,b\nc,\"d\ne,f\n"), heed::DataError);
  CHECK_THROWS_WITH(csv("a,b\nc,\"d\ne,f\n"), ContainsSubstring("f.csv:2: a quote opens here"));
  CHECK_THROWS_WITH(csv("a,\"x\ny\",\"z\"\"\n"), ContainsSubstring("f.csv:2: a quote opens here"));
  CHECK_THROWS_WITH(csv("a,\"b\"c\n"), ContainsSubstring("f.csv:1: text after the closing quote"));
}

TEST_CASE("whatever fields hold, they come out as they were quoted", "[data][fields][property]") {
  const Values pool = {"",  "a", "\"",         "\"\"", "\n",  "a\nb",
                       ",", ";", "a \"b\", c", "ä",    " x ", "\t"};
  const std::string delimiter = GENERATE(as<std::string>(), ",", ";", "|", "\t", "\u00A6");
  std::string bytes;
  std::vector<Values> wanted;
  for (std::size_t i = 0; i < pool.size(); ++i) {
    wanted.push_back({pool[i], pool[(i * 5 + 3) % pool.size()], pool[(i * 7 + 1) % pool.size()]});
    for (const auto& value : wanted.back()) {
      bytes += (&value == &wanted.back().front() ? "" : delimiter) + quoted(value);
    }
    bytes += i % 2 == 0 ? "\r\n" : "\n";
  }
  const auto rows = csv(bytes, delimiter);
  REQUIRE(rows.size() == wanted.size());
  for (std::size_t i = 0; i < rows.size(); ++i) CHECK(rows[i].values == wanted[i]);
}
