#pragma once

#include <string>
#include <vector>

namespace heed::eval {

/// Whether a line still holds pieces of a subword tokenizer (▁, or ## inside a word) instead of
/// text: scores of such lines can't be compared with anyone's. -> what to tell the user, naming the
/// first such line (from 1) of `name`; empty where all is text.
std::string warn_of_pieces(const std::vector<std::string>& lines, const std::string& name);

}  // namespace heed::eval
