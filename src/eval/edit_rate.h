#pragma once

#include <cstdint>
#include <string_view>

namespace heed::eval {

/// How many words must be inserted, deleted, replaced, or shifted together (one edit a shift) to
/// turn the hypothesis into the reference, found greedily: as Tercom (Snover et al., 2006) in the
/// form of sacreBLEU 2.6.0, with its beam around the diagonal, its limits on shifts and its order
/// among equally good ones. Words are numbers. An empty reference costs a word each.
int64_t edits(std::u32string_view hypothesis, std::u32string_view reference);

}  // namespace heed::eval
