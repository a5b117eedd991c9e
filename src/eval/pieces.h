#pragma once

#include <string>
#include <vector>

namespace heed::eval {

/// Whether a line still holds pieces of a subword tokenizer (▁, ## inside a word, @@ at the end of
/// one) instead of text: scores of such lines can't be compared with anyone's. -> what to tell the
/// user, naming the first such line (from 1) of `name`; empty where all is text.
std::string warn_of_pieces(const std::vector<std::string>& lines, const std::string& name);

/// The same where 100 lines or more end in a period that stands alone, as in tokenized text.
std::string warn_of_tokens(const std::vector<std::string>& lines, const std::string& name);

}  // namespace heed::eval
