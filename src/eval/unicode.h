#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Text as the reference scorers see it: code points, with Python's idea of white space and case.
namespace heed::eval {

bool is_space(char32_t c);        // Python's str.isspace
bool is_number(char32_t c);       // \p{N}
bool is_punctuation(char32_t c);  // \p{P}
bool is_symbol(char32_t c);       // \p{S}

/// Python's str.split(): the words between runs of white space. The views last as long as `text`.
std::vector<std::u32string_view> split(std::u32string_view text);

/// `text` without its white space.
std::u32string without_spaces(std::u32string_view text);

/// Full case mapping, in no locale (a final sigma counts).
std::string lower(const std::string& utf8);

}  // namespace heed::eval
