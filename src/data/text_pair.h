#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "text/tokenizer.h"

namespace heed::data {

/// `prefix`, a space, `line`; the line itself where the prefix is empty.
std::string prefixed(const std::string& prefix, const std::string& line);

/// Two texts on one line, as `heed classify` takes them: FIRST<TAB>SECOND. Tabs in the first, which
/// are white space, become spaces.
std::string pair_line(const std::string& first, const std::string& second);

/// The two texts of such a line; the second is empty where there is no tab.
std::pair<std::string, std::string> texts_of(const std::string& line);

/// Whether one of the two texts of such a line has nothing but white space.
bool half_blank(const std::string& line);

/// Ids of FIRST<TAB>SECOND: of the first, </s>, of the second (the last </s> comes with the batch).
/// The </s> counts as a token of the text; no text has one of its own, so it parts the segments. A
/// line without a tab has an empty second. sampling: draws among segmentations, where given.
std::vector<int64_t> encode_pair(const text::Tokenizer& tokenizer, const std::string& line,
                                 Random* sampling = nullptr);

/// Ids of a line, drawn among its segmentations where `sampling` is given.
std::vector<int64_t> encode_line(const text::Tokenizer& tokenizer, const std::string& line,
                                 Random* sampling = nullptr);

}  // namespace heed::data
