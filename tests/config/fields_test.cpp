#include "config/fields.h"

#include <limits>

#include "config/example.h"
#include "support/catch.h"

namespace heed::config {
namespace {

struct Inner {
  int64_t count = 3;
  bool checked = false;

  bool operator==(const Inner&) const = default;
  static void fields(auto& self, auto&& visit) { visit("count", self.count, Range{1, 9}); }
  void check(const std::string& path) const {
    if (count == 7) throw ConfigError(path + ".count: 7 is taken");
  }
};

struct Outer {
  Inner inner{};
  std::string name = "x";
  bool fact = false;
  double share = 0.5;
  std::vector<double> numbers{};
  std::vector<std::string> words = {"a"};

  bool operator==(const Outer&) const = default;
  static void fields(auto& self, auto&& visit) {
    visit("inner", self.inner);
    visit("name", self.name);
    visit("fact", self.fact);
    visit("share", self.share, at_least(0.0));
    visit("numbers", self.numbers);
    visit("words", self.words);
  }
};

Outer read(const std::string& text) {
  Outer outer;
  parse(Json::parse(text), "", outer);
  return outer;
}

std::string fault(const std::string& text) {
  return test::fault_of<ConfigError>([&] { read(text); });
}

TEST_CASE("absent keys are defaults, given ones are read", "[config][fields][unit]") {
  REQUIRE(read("{}") == Outer{});
  const Outer expected{{4}, "y", true, 2.0, {1.0, 0.5}, {}};
  REQUIRE(read(R"({"inner": {"count": 4}, "name": "y", "fact": true, "share": 2,
                   "numbers": [1, 0.5], "words": []})") == expected);
  Outer again;
  parse(dump(expected), "", again);
  REQUIRE(again == expected);
}

TEST_CASE("a wrong type is answered with the one that is wanted", "[config][fields][unit]") {
  REQUIRE(fault(R"([])") == "must be an object, got a list");
  REQUIRE(fault(R"({"inner": 3})") == "inner: must be an object, got 3");
  REQUIRE(fault(R"({"inner": {"count": "many"}})") ==
          "inner.count: must be an integer, got \"many\"");
  for (const auto* count : {"3.0", "true", "null", "[3]", "9223372036854775808", "1e3"}) {
    CAPTURE(count);
    REQUIRE_THAT(fault(std::string(R"({"inner": {"count": )") + count + "}}"),
                 test::ContainsSubstring("inner.count: must be an integer, got "));
  }
  REQUIRE(fault(R"({"name": 3})") == "name: must be a string, got 3");
  REQUIRE(fault(R"({"fact": 1})") == "fact: must be true or false, got 1");
  REQUIRE(fault(R"({"share": "0.5"})") == "share: must be a number, got \"0.5\"");
  REQUIRE(fault(R"({"numbers": [1, "2"]})") ==
          "numbers: must be a list of numbers, got a list whose item 2 is \"2\"");
  REQUIRE(fault(R"({"numbers": 1})") == "numbers: must be a list of numbers, got 1");
  REQUIRE(fault(R"({"words": "text"})") == "words: must be a list of strings, got \"text\"");
}

TEST_CASE("numbers out of range are refused, not-a-number too", "[config][fields][unit]") {
  REQUIRE(fault(R"({"inner": {"count": 10}})") == "inner.count: must be in [1, 9], got 10");
  REQUIRE(fault(R"({"inner": {"count": 0}})") == "inner.count: must be in [1, 9], got 0");
  REQUIRE(fault(R"({"share": -0.5})") == "share: must be at least 0, got -0.5");
  double share = 0.0;
  const Json nan = std::numeric_limits<double>::quiet_NaN();
  REQUIRE_THROWS_AS(parse(nan, "share", share), ConfigError);
}

TEST_CASE("an unknown key is answered with its path, the nearest and all there are",
          "[config][fields][unit]") {
  REQUIRE(fault(R"({"inner": {"cuont": 3}})") ==
          "inner.cuont: unknown key; did you mean 'count'? There are count");
  REQUIRE(fault(R"({"names": "y"})") ==
          "names: unknown key; did you mean 'name'? There are inner, name, fact, share, numbers, "
          "words");
  REQUIRE(fault("{\"na\\nme\": 1}").find('\n') == std::string::npos);
}

TEST_CASE("the rules of a struct hold, also of one that is not mentioned",
          "[config][fields][unit]") {
  REQUIRE(fault(R"({"inner": {"count": 7}})") == "inner.count: 7 is taken");
  Outer outer{.inner = {7}};
  REQUIRE_THROWS_WITH(parse(Json::object(), "", outer), "inner.count: 7 is taken");
}

TEST_CASE("key paths name every field of every struct", "[config][fields][unit]") {
  REQUIRE(key_paths<Outer>() == std::vector<std::string>{"inner", "inner.count", "name", "fact",
                                                         "share", "numbers", "words"});
}

}  // namespace
}  // namespace heed::config
