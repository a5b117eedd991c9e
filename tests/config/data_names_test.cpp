#include "config/data_names.h"

#include "base/error.h"
#include "config/example.h"
#include "config/fields.h"
#include "support/catch.h"

namespace heed::config {
namespace {

DataNames read(const Json& json) {
  DataNames names{"before"};
  parse(json, "data.text", names);
  return names;
}

TEST_CASE("one name is a string in JSON, several are a list", "[config][data_names][unit]") {
  REQUIRE(read("a") == DataNames{"a"});
  REQUIRE(read(Json::parse(R"(["a", "b"])")) == DataNames{"a", "b"});
  REQUIRE(read(Json::parse(R"(["a"])")) == DataNames("a"));
  REQUIRE(read("").empty());
  REQUIRE(read(Json::array()).empty());
  REQUIRE(Json(DataNames("a")) == Json("a"));
  REQUIRE(Json(DataNames{"a", "b"}) == Json::parse(R"(["a", "b"])"));
  REQUIRE(Json(DataNames()) == Json(""));
}

TEST_CASE("what is no name is refused with what is wanted", "[config][data_names][unit]") {
  for (const auto* json : {"5", "[\"a\", 1]", "null", "{}"}) {
    REQUIRE_THAT(test::fault_of<ConfigError>([&] { read(Json::parse(json)); }),
                 test::ContainsSubstring("data.text: must be a string or a list of strings"));
  }
}

TEST_CASE("a name is assigned like a string", "[config][data_names][unit]") {
  DataNames names;
  REQUIRE(names.empty());
  names = "a";
  names = std::string("b");
  REQUIRE(names.size() == 1);
  REQUIRE(names[0] == "b");
  REQUIRE(names == std::string("b"));
  names = std::string();
  REQUIRE(names.empty());
}

}  // namespace
}  // namespace heed::config
