#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace heed {

/// `bytes` with each maximal ill-formed part replaced by U+FFFD, as ICU and Python's
/// errors="replace" do; adds how many to `*replaced`.
std::string valid_utf8(std::string_view bytes, int64_t* replaced);

/// Code points of well-formed UTF-8, and back. Ill-formed parts come out as U+FFFD.
std::u32string code_points(std::string_view utf8);
std::string to_utf8(std::u32string_view text);
void append_utf8(char32_t code_point, std::string& out);

}  // namespace heed
