#include "data/pairs.h"

#include "base/error.h"
#include "base/files.h"
#include "support/catch.h"
#include "support/scratch.h"

using heed::test::ContainsSubstring;
namespace data = heed::data;

TEST_CASE("lines of two files are read side by side", "[data][pairs][unit]") {
  const heed::test::ScratchDirectory scratch;
  heed::write_file(scratch / "a.en",
                   "one\xe2\x80\xa8two\nthree\x0b"
                   "four\xff\nsix\n");
  heed::write_file(scratch / "a.de", "1\n2\n3");
  const auto pairs = data::read_pairs((scratch / "a.en").string(), (scratch / "a.de").string());
  REQUIRE(pairs.source.size() == 3);
  CHECK(pairs.source[0] == "one\u2028two");
  CHECK(pairs.source[2] == "six");
  CHECK(pairs.target[2] == "3");
  CHECK(pairs.replaced == 1);
}

TEST_CASE("files of unequal length are refused with both names and counts", "[data][pairs][unit]") {
  const heed::test::ScratchDirectory scratch;
  heed::write_file(scratch / "a.en", "1\n2\n3\n4\n5\n");
  heed::write_file(scratch / "a.de", "1\n2\n3\n4\n");
  const auto read = [&] {
    return data::read_pairs((scratch / "a.en").string(), (scratch / "a.de").string());
  };
  CHECK_THROWS_AS(read(), heed::DataError);
  CHECK_THROWS_WITH(read(), ContainsSubstring("a.en: 5 lines") && ContainsSubstring("a.de has 4"));
}

TEST_CASE("missing and empty files are named", "[data][pairs][unit]") {
  const heed::test::ScratchDirectory scratch;
  heed::write_file(scratch / "empty", "");
  const auto empty = (scratch / "empty").string();
  CHECK_THROWS_WITH(data::read_pairs(empty, empty), ContainsSubstring("empty: no lines"));
  CHECK_THROWS_WITH(data::read_pairs((scratch / "none").string(), empty),
                    ContainsSubstring("none: "));
  CHECK_THROWS_AS(data::read_pairs(empty, (scratch / "none").string()), heed::DataError);
}

TEST_CASE("several files are read one after the other, and each line keeps its place",
          "[data][pairs][unit]") {
  const heed::test::ScratchDirectory scratch;
  const auto path = [&](const std::string& name) { return (scratch / name).string(); };
  heed::write_file(path("a.en"), "1\n2\n");
  heed::write_file(path("a.de"), "one\ntwo\n");
  heed::write_file(path("b.en"), "3\n");
  heed::write_file(path("b.de"), "three\n");
  const auto pairs = data::read_pairs({path("a.en"), path("b.en")}, {path("a.de"), path("b.de")});
  CHECK(pairs.source == std::vector<std::string>{"1", "2", "3"});
  CHECK(pairs.target == std::vector<std::string>{"one", "two", "three"});
  CHECK(pairs.place(1).source_file == path("a.en"));
  CHECK(pairs.place(1).line == 2);
  CHECK(pairs.place(2).target_file == path("b.de"));
  CHECK(pairs.place(2).line == 1);

  heed::write_file(path("b.de"), "three\nfour\n");
  CHECK_THROWS_WITH(data::read_pairs({path("a.en"), path("b.en")}, {path("a.de"), path("b.de")}),
                    ContainsSubstring("b.en: 1 line,") && ContainsSubstring("b.de has 2"));
  CHECK_THROWS_AS(data::read_pairs({path("a.en"), path("b.en")}, path("a.de")), heed::ConfigError);
}
