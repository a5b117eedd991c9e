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
          "data.format: there is no 'xlsx'; did you mean 'tsv'? There are tsv");
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
