#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace heed::cli {

/// "PLACE: 2 ill-formed UTF-8 sequences read as U+FFFD", without a place where it is empty; nothing
/// where there are none.
std::string ill_formed_text(const std::string& place, int64_t replaced);

/// The same of a vocabulary, which is read for it. Nothing for a pipe, which can be read only once.
std::string ill_formed_vocabulary(const std::filesystem::path& file);

/// Logs a warning that has a text.
void warn_if_any(const std::string& warning);

}  // namespace heed::cli
