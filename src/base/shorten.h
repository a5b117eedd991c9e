#pragma once

#include <cstddef>
#include <string>

namespace heed {

/// At most `width` characters: the beginning and an ellipsis where there are more.
std::string shortened(const std::string& text, std::size_t width);

/// Likewise, but with the middle left out, so that what tells file names apart is there.
std::string shortened_in_middle(const std::string& text, std::size_t width);

/// Characters, which are columns for most scripts.
std::size_t width_of(const std::string& text);

}  // namespace heed
