#pragma once

#include <cstdint>
#include <string>

namespace heed::text {

/// A writing system: a code of ICU, where those that are written together (Han, kana, hangul,
/// bopomofo) count as one.
using Script = int32_t;

/// Of what belongs to no script of its own: digits, punctuation, marks, emoji.
inline constexpr Script kNoScript = -1;

Script script_of(char32_t c);

/// "Latin", "Cyrillic", ...; "East Asian" for Han and what is written with it.
std::string script_name(Script script);

}  // namespace heed::text
