#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace heed::text {

enum class Unit { kSentence, kWord, kCharacter };

/// Where the units of a well-formed text end, in bytes, ascending; the last one is its size. White
/// space belongs to the unit before it, and so does punctuation that follows a word, so the units
/// are the whole text. Boundaries are Unicode's (UAX #29) as ICU has them, of no one language;
/// characters are what a reader takes for one.
std::vector<std::size_t> unit_ends(const std::string& text, Unit unit);

}  // namespace heed::text
