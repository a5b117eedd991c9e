#include "inspect/verify_check.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <spdlog/fmt/fmt.h>

#include "inspect/wrap.h"

namespace heed::inspect {
namespace {

using config::Json;

int64_t count(const std::vector<Check>& checks, const std::string& result) {
  return std::ranges::count_if(checks, [&](const auto& c) { return c.result() == result; });
}

std::string number(double value) { return fmt::format("{:.3g}", value); }

std::string bound(const Check& check) {
  if (check.at_least && check.at_most) {
    return fmt::format("{} to {}", number(*check.at_least), number(*check.at_most));
  }
  if (check.at_least) return ">= " + number(*check.at_least);
  if (check.at_most) return "<= " + number(*check.at_most);
  return "";
}

std::string row(const std::string& name, const std::string& measured, const std::string& bound,
                const std::string& result) {
  return fmt::format("{:<46} {:>10}  {:<12}  {}\n", name, measured, bound, result);
}

Json finite_or_null(std::optional<double> value) {
  return value && std::isfinite(*value) ? Json(*value) : Json();
}

}  // namespace

bool Check::failed() const {
  if (!measured) return false;
  // Written so that NaN, which compares false, fails.
  const bool high_enough = !at_least || *measured >= *at_least;
  const bool low_enough = !at_most || *measured <= *at_most;
  return std::isnan(*measured) || !high_enough || !low_enough;
}

std::string Check::result() const {
  if (!applies()) return "n/a";
  return failed() ? "fail" : "pass";
}

Check not_applicable(std::string reason) { return {.reason = std::move(reason)}; }

Check at_most(double measured, double bound, std::string reason) {
  return {.measured = measured, .at_most = bound, .reason = std::move(reason)};
}

Check at_least(double measured, double bound, std::string reason) {
  return {.measured = measured, .at_least = bound, .reason = std::move(reason)};
}

std::string check_header() { return row("check", "measured", "bound", "result"); }

std::string check_line(const Check& check) {
  const auto measured = check.measured ? number(*check.measured) : "";
  auto text = row(check.name, measured, bound(check), check.result());
  if (!check.reason.empty()) text += wrapped(check.reason, 4);
  return text;
}

Json checks_json(const std::vector<Check>& checks) {
  Json json{{"checks", Json::array()}};
  for (const auto& check : checks) {
    json["checks"].push_back({{"name", check.name},
                              {"measured", finite_or_null(check.measured)},
                              {"at_least", finite_or_null(check.at_least)},
                              {"at_most", finite_or_null(check.at_most)},
                              {"result", check.result()},
                              {"reason", check.reason.empty() ? Json() : Json(check.reason)}});
  }
  json["passed"] = count(checks, "pass");
  json["failed"] = count(checks, "fail");
  json["not_applicable"] = count(checks, "n/a");
  return json;
}

std::string check_counts(const std::vector<Check>& checks) {
  return fmt::format("{} pass, {} fail, {} n/a", count(checks, "pass"), count(checks, "fail"),
                     count(checks, "n/a"));
}

}  // namespace heed::inspect
