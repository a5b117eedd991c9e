#pragma once

#include <cstdint>
#include <string>

#include "text/scripts.h"

namespace heed::data {

/// What can be told about a line of text by looking at it.
struct LineFacts {
  int64_t characters = 0;                 // code points
  int64_t words = 0;                      // between white space
  int64_t longest_word = 0;               // code points
  int64_t letters = 0;                    // and marks
  int64_t visible = 0;                    // characters that are no white space
  bool controls = false;                  // control characters but tabs
  bool ill_formed = false;                // U+FFFD, which ill-formed UTF-8 is read as
  text::Script script = text::kNoScript;  // of most of its letters
};

LineFacts facts_of(const std::string& line);

/// Less than half of what can be seen is letters (and that is 4 characters or more).
bool mostly_no_letters(const LineFacts& facts);

/// A word of over 40 characters, in a text whose words are parted by white space.
bool very_long_word(const LineFacts& facts);

}  // namespace heed::data
