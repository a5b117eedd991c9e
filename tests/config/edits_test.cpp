#include "config/edits.h"

#include "base/error.h"
#include "config/example.h"
#include "support/catch.h"

namespace heed::config {
namespace {

TEST_CASE("the value of an edit is JSON, or else a string", "[config][edits][unit]") {
  REQUIRE(parse_edit("train.lr=3e-4").path == "train.lr");
  REQUIRE(parse_edit("train.lr=3e-4").value == 3e-4);
  REQUIRE(parse_edit("a=true").value == true);
  REQUIRE(parse_edit("a=[0.9, 0.98]").value == Json::array({0.9, 0.98}));
  REQUIRE(parse_edit("a=adamw").value == "adamw");
  REQUIRE(parse_edit("a=\"7\"").value == "7");
  REQUIRE(parse_edit("a=").value == "");
  REQUIRE(parse_edit("a=b=c").value == "b=c");
  REQUIRE(parse_edit("a=nan").value == "nan");
}

TEST_CASE("an edit without key or value is refused", "[config][edits][unit]") {
  const auto text = GENERATE(
      values<std::string>({"", "=", "=1", "train.lr", ".a=1", "a.=1", "a..b=1", "a=\xff"}));
  CAPTURE(text);
  const auto fault = test::fault_of<ConfigError>([&] { parse_edit(text); });
  REQUIRE_THAT(fault, test::ContainsSubstring("--set "));
}

TEST_CASE("a key twice in the value of an edit is refused", "[config][edits][unit]") {
  REQUIRE_THROWS_WITH(parse_edit(R"(a.b={"c": 1, "c": 2})"), "--set a.b: c: given twice");
}

TEST_CASE("an edit sets, adds and replaces, and makes the objects on its way",
          "[config][edits][unit]") {
  auto json = Json::parse(R"({"a": {"b": 1, "c": 2}})");
  apply_edit({"a.b", 5}, json);
  apply_edit({"a.d", "x"}, json);
  apply_edit({"e.f.g", true}, json);
  REQUIRE(json.dump() == R"({"a":{"b":5,"c":2,"d":"x"},"e":{"f":{"g":true}}})");
  apply_edit({"a", 0}, json);
  REQUIRE(json.at("a") == 0);
  REQUIRE_THROWS_WITH(apply_edit({"a.b", 1}, json), "--set a.b: 'b' has no object to be in, but 0");
}

TEST_CASE("a fault is blamed on the edit that brought its key, else on the file",
          "[config][edits][unit]") {
  const std::vector<Edit> edits{{"train.lr", 1}, {"model", 1}, {"trian.lr", 1}};
  REQUIRE(blame("train.lr: no", "f", edits) == "--set train.lr: no");
  REQUIRE(blame("model.heads: no", "f", edits) == "--set model: model.heads: no");
  REQUIRE(blame("trian: unknown", "f", edits) == "--set trian.lr: trian: unknown");
  REQUIRE(blame("train.lr2: no", "f", edits) == "f: train.lr2: no");
  REQUIRE(blame("models.heads: no", "f", edits) == "f: models.heads: no");
}

}  // namespace
}  // namespace heed::config
