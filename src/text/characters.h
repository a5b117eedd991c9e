#pragma once

/// What a character is, by Unicode's tables.
namespace heed::text {

/// Control characters and the line and paragraph separators: white space to every tokenizer that
/// heed trains.
bool is_control(char32_t c);

/// White space, controls included.
bool is_space(char32_t c);

bool is_punctuation(char32_t c);  // symbols included
bool is_word(char32_t c);         // letters, marks and digits

/// Shows as nothing, or breaks lines and columns: controls, format characters, every white space.
bool is_invisible(char32_t c);

}  // namespace heed::text
