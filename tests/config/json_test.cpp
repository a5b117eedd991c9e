#include "config/json.h"

#include <locale.h>
#include <stdlib.h>

#include "base/error.h"
#include "config/example.h"
#include "support/catch.h"

namespace heed::config {
namespace {

std::string fault(const std::string& text) {
  return test::fault_of<ConfigError>([&] { parse_json(text, "a.json"); });
}

TEST_CASE("values come out in the order and with the types they have", "[config][json][unit]") {
  const auto json = parse_json(R"({"z": 1, "a": [0.1, "\u00e4", null, true], "m": {}})", "a.json");
  REQUIRE(json.dump() == R"({"z":1,"a":[0.1,"ä",null,true],"m":{}})");
}

TEST_CASE("bad syntax is one line with its number", "[config][json][unit]") {
  REQUIRE_THAT(fault("{\n \"a\": 1,\n \"b\": tru\n}"),
               test::ContainsSubstring("a.json:3: no valid JSON: syntax error"));
  REQUIRE_THAT(fault(""), test::ContainsSubstring("a.json:1: no valid JSON: "));
  REQUIRE_THAT(fault("{\n\"a\": 1"), test::ContainsSubstring("a.json:2: "));
  REQUIRE_THAT(fault("{} \n\n x"), test::ContainsSubstring("a.json:3: "));
  REQUIRE_THAT(fault("{\"a\": \"\xff\"}"), test::ContainsSubstring("a.json:1: "));
  REQUIRE_THAT(fault("{\"a\": 1e400}"), test::ContainsSubstring("a.json: no valid JSON: number"));
  REQUIRE(fault("{\n \"a\n\": 1}").find('\n') == std::string::npos);
  REQUIRE(fault(std::string(100'000, '[')).size() < 300);
}

TEST_CASE("a key that is given twice is refused with its path", "[config][json][unit]") {
  REQUIRE(fault(R"({"a": 1, "b": {"a": 1}, "a": 2})") == "a.json: a: given twice");
  REQUIRE(fault(R"({"a": {"x": {}, "b": {"c": 1, "c": 1}}})") == "a.json: a.b.c: given twice");
  REQUIRE(fault(R"({"a": [{"b": 1}, {"b": 1}], "c": {"b": 1}})").empty());
}

TEST_CASE("what an error text shows is short and on one line", "[config][json][unit]") {
  REQUIRE(shown(Json::parse(R"({"a": 1})")) == "an object");
  REQUIRE(shown(Json::parse(R"([1, 2])")) == "a list");
  REQUIRE(shown("many\nlines") == R"("many\nlines")");
  REQUIRE(shown(7.5) == "7.5");
  REQUIRE(shown(std::string(1000, 'x')).size() < 100);
  REQUIRE_FALSE(shown("\xff").empty());
  REQUIRE(printable("a\nb") == "a\\nb");
  REQUIRE(printable("wärmup") == "wärmup");
}

/// Compiles a locale into `folder` and makes it the process's. False where the system can't.
bool enter_locale(const std::string& name, const std::filesystem::path& folder) {
  const auto command = "localedef -i " + name + " -f UTF-8 " +
                       (folder / (name + ".UTF-8")).string() + " >/dev/null 2>&1";
  (void)!std::system(command.c_str());  // warnings, too, make it exit with 1
  ::setenv("LOCPATH", folder.c_str(), 1);
  ::setenv("LC_ALL", (name + ".UTF-8").c_str(), 1);
  return ::setlocale(LC_ALL, "") != nullptr;
}

void leave_locale() {
  ::setlocale(LC_ALL, "C");
  ::unsetenv("LC_ALL");
  ::unsetenv("LOCPATH");
}

TEST_CASE("numbers read and print the same where the decimal point is a comma, or no byte at all",
          "[config][json][unit]") {
  const auto locale = GENERATE(values<std::string>({"de_DE", "ps_AF"}));
  const test::Example example;
  if (!enter_locale(locale, example.folder())) {
    leave_locale();
    WARN("skipped: no locale " << locale);
    return;
  }
  const std::string point = ::localeconv()->decimal_point;
  const auto run = load_run(example / "translate.json", {"train.weight_decay=12345.625"});
  const auto text = to_json(run);
  const auto again = parse_run(text, "text");
  const auto fault = test::fault_of<ConfigError>(
      [&] { load_run(example / "translate.json", {"model.dropout=1234.5"}); });
  leave_locale();

  CAPTURE(locale);
  REQUIRE(point != ".");
  REQUIRE(run.train.lr == 0.0007);
  REQUIRE(again == run);
  REQUIRE_THAT(text, test::ContainsSubstring("\"lr\": 0.0007,") &&
                         test::ContainsSubstring("\"weight_decay\": 12345.625,"));
  REQUIRE(fault == "--set model.dropout: must be in [0, 0.99], got 1234.5");
}

}  // namespace
}  // namespace heed::config
