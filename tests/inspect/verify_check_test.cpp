#include "inspect/verify_check.h"

#include <limits>

#include "base/utf8.h"
#include "inspect/wrap.h"
#include "support/catch.h"

namespace heed::inspect {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST_CASE("a check passes on its bounds, fails beyond them, and fails for NaN",
          "[inspect][verify][unit]") {
  REQUIRE(at_most(1.0, 1.0).result() == "pass");
  REQUIRE(at_most(1.1, 1.0).result() == "fail");
  REQUIRE(at_least(1.0, 1.0).result() == "pass");
  REQUIRE(at_least(0.9, 1.0).result() == "fail");
  REQUIRE(at_most(kNan, 1.0).result() == "fail");
  REQUIRE(at_least(kNan, 1.0).result() == "fail");
  const Check both{.measured = 3.0, .at_least = 1.0, .at_most = 2.0};
  REQUIRE(both.result() == "fail");
  REQUIRE(not_applicable("why").result() == "n/a");
  REQUIRE_FALSE(not_applicable("why").failed());
}

TEST_CASE("a line shows name, value, bound and result, and its reason below, in 80 columns",
          "[inspect][verify][unit]") {
  auto check = at_most(0.00123456, 1e-5, std::string(30, 'x') + " " + std::string(60, 'y'));
  check.name = "tokens in the padding change nothing";
  const auto text = check_line(check);
  REQUIRE(text.starts_with("tokens in the padding change nothing  "));
  REQUIRE(text.find("0.00123  <= 1e-05") != text.npos);
  REQUIRE(text.find("fail\n    xxx") != text.npos);
  std::size_t begin = 0;
  for (auto end = text.find('\n'); end != text.npos; end = text.find('\n', begin)) {
    REQUIRE(code_points(text.substr(begin, end - begin)).size() <= kColumns);
    begin = end + 1;
  }
  Check range{.name = "range", .measured = 1.5, .at_least = 0.5, .at_most = 2.0};
  REQUIRE(check_line(range).find("0.5 to 2") != std::string::npos);
}

TEST_CASE("as JSON a check has every key, and null for what is missing or not finite",
          "[inspect][verify][unit]") {
  auto failed = at_most(kNan, 1.0, "broke off");
  failed.name = "a";
  auto absent = not_applicable("no decoder");
  absent.name = "b";
  auto passed = at_least(2.0, 1.0);
  passed.name = "c";
  const auto json = checks_json({failed, absent, passed});
  REQUIRE(json["passed"] == 1);
  REQUIRE(json["failed"] == 1);
  REQUIRE(json["not_applicable"] == 1);
  const auto expected = config::Json::parse(R"([
    {"name": "a", "measured": null, "at_least": null, "at_most": 1.0, "result": "fail",
     "reason": "broke off"},
    {"name": "b", "measured": null, "at_least": null, "at_most": null, "result": "n/a",
     "reason": "no decoder"},
    {"name": "c", "measured": 2.0, "at_least": 1.0, "at_most": null, "result": "pass",
     "reason": null}])");
  REQUIRE(json["checks"] == expected);
  REQUIRE(check_counts({failed, absent, passed}) == "1 pass, 1 fail, 1 n/a");
}

}  // namespace
}  // namespace heed::inspect
