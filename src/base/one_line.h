#pragma once

#include <string>

namespace heed {

/// The text with each control character as \xNN, so that it stays one line and ends at its end: for
/// what a message quotes of files and command lines. (what() of an exception ends at a NUL.)
std::string on_one_line(const std::string& text);

}  // namespace heed
