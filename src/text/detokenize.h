#pragma once

#include <string>
#include <vector>

namespace heed::text {

/// Words and punctuation marks, each a piece, as a line of text: marks stand where a reader expects
/// them, close to the word that they open or close. What comes after a piece bears on at most the
/// space before and behind that piece.
std::string detokenize(const std::vector<std::string>& pieces);

}  // namespace heed::text
