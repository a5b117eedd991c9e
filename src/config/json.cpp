#include "config/json.h"

#include <locale.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>

#include "base/error.h"

namespace heed::config {
namespace {

/// Numbers have a point on this thread while it lives: the JSON library asks the locale.
class PointLocale {
 public:
  PointLocale()
      : point_(::newlocale(LC_NUMERIC_MASK, "C", nullptr)), previous_(::uselocale(point_)) {}
  ~PointLocale() {
    ::uselocale(previous_);
    ::freelocale(point_);
  }
  PointLocale(const PointLocale&) = delete;
  PointLocale& operator=(const PointLocale&) = delete;

 private:
  locale_t point_;
  locale_t previous_;
};

/// Sees each key as it is read and throws at the second one of a name; the JSON library would keep
/// one of the values and say nothing.
class KeysOnce {
 public:
  explicit KeysOnce(const std::string& where) : where_(where) {}

  bool operator()(int, Json::parse_event_t event, Json& parsed) {
    if (event == Json::parse_event_t::object_start) keys_.emplace_back();
    if (event == Json::parse_event_t::object_end) keys_.pop_back();
    if (event == Json::parse_event_t::key) add(parsed.get<std::string>());
    return true;
  }

 private:
  void add(const std::string& key) {
    auto& seen = keys_.back();
    const bool twice = std::ranges::find(seen, key) != seen.end();
    seen.push_back(key);
    if (twice) throw ConfigError(fmt::format("{}: {}: given twice", where_, path()));
  }

  std::string path() const {
    std::vector<std::string> names;
    for (const auto& level : keys_) names.push_back(printable(level.back()));
    return fmt::format("{}", fmt::join(names, "."));
  }

  std::string where_;
  std::vector<std::vector<std::string>> keys_;  // of each open object; the last one is being read
};

std::size_t line_of(std::string_view text, std::size_t byte) {
  const auto before = text.substr(0, byte > 0 ? byte - 1 : 0);
  return 1 + static_cast<std::size_t>(std::ranges::count(before, '\n'));
}

/// The library's text without its tag and its own words on the place.
std::string reason(const Json::exception& error) {
  std::string text = error.what();
  for (const auto* intro : {"] ", "column "}) {
    const auto at = text.find(intro);
    if (at != text.npos) text.erase(0, at + std::string_view(intro).size());
  }
  const auto digits = text.find_first_not_of("0123456789");
  if (digits != text.npos && text.substr(digits, 2) == ": ") text.erase(0, digits + 2);
  return text;
}

}  // namespace

Json parse_json(std::string_view text, const std::string& where) {
  const PointLocale locale;
  try {
    return Json::parse(text, KeysOnce(where));
  } catch (const Json::parse_error& error) {
    throw ConfigError(
        fmt::format("{}:{}: no valid JSON: {}", where, line_of(text, error.byte), reason(error)));
  } catch (const Json::exception& error) {  // a number beyond double
    throw ConfigError(fmt::format("{}: no valid JSON: {}", where, reason(error)));
  }
}

std::string shown(const Json& json) {
  if (json.is_object()) return "an object";
  if (json.is_array()) return "a list";
  constexpr std::size_t kMost = 80;
  const auto text = json.dump(-1, ' ', true, Json::error_handler_t::replace);
  return text.size() <= kMost ? text : text.substr(0, kMost) + "...";
}

std::string printable(const std::string& text) {
  const auto quoted = Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
  return quoted.substr(1, quoted.size() - 2);
}

}  // namespace heed::config
