#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace heed::text {

/// A long line as parts of at least `bytes` bytes each (but the last), cut only where normalization
/// makes the same of the parts as of the whole: between two characters that are seen, of which the
/// second begins something new.
std::vector<std::string_view> normal_chunks(std::string_view line, int64_t bytes);

}  // namespace heed::text
