#include "pipeline/labels.h"

#include "base/error.h"
#include "base/files.h"
#include "pipeline/temporary_directory.h"
#include "support/catch.h"

namespace heed::pipeline {
namespace {

TEST_CASE("labels come back in order, whatever they hold", "[pipeline][labels][unit]") {
  const test::TemporaryDirectory directory;
  const std::vector<std::string> labels{"pos", "a \"quoted\" one", "tab\there", "größer", "",
                                        "null"};
  save_labels(directory.path(), labels);
  REQUIRE(load_labels(directory.path()) == labels);
}

TEST_CASE("a labels file that is missing or damaged is named", "[pipeline][labels][unit]") {
  const test::TemporaryDirectory directory;
  REQUIRE_THROWS_AS(load_labels(directory.path()), CheckpointError);
  for (const auto* text : {"", "{", "{}", "[]", "[1]", "[\"a\", \"a\"]", "[\"a\""}) {
    CAPTURE(text);
    replace_file(directory.path() / "labels.json", text);
    REQUIRE_THROWS_WITH(load_labels(directory.path()), test::ContainsSubstring("labels.json"));
    REQUIRE_THROWS_AS(load_labels(directory.path()), CheckpointError);
  }
}

}  // namespace
}  // namespace heed::pipeline
