#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace heed::config {

using Json = nlohmann::ordered_json;

/// JSON of `text`, in any locale. Throws ConfigError, one line that begins with `where`: for bad
/// syntax "WHERE:LINE: ", and for a key that is given twice its path.
Json parse_json(std::string_view text, const std::string& where);

/// The value as error texts show it: on one line, short, whatever it holds.
std::string shown(const Json& json);

/// A string of the user on one line, without quotes.
std::string printable(const std::string& text);

}  // namespace heed::config
