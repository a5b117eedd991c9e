#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "text/tokenizer.h"

namespace heed::inspect {

/// The tokens that a model wrote, each with the code points of `text` = tokenizer.decode(ids) it
/// gave: what the text gains when it is decoded up to the token, without the space in front.
/// Special tokens get an empty range.
std::vector<text::Token> written_tokens(const text::Tokenizer& tokenizer,
                                        const std::vector<int64_t>& ids, const std::string& text);

/// Whether only the program writes it: padding, begin and end.
bool special(int64_t id);

}  // namespace heed::inspect
