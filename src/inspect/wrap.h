#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace heed::inspect {

inline constexpr std::size_t kColumns = 80;  // of text for a person

/// Words of `text` in lines of at most kColumns code points, each behind `indent` blanks. A longer
/// word gets a line of its own.
std::string wrapped(std::string_view text, std::size_t indent = 0);

/// `text` cut or filled up with blanks to `width` code points; what is cut ends in "…".
std::string fitted(std::string_view text, std::size_t width);

}  // namespace heed::inspect
