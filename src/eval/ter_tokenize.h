#pragma once

#include <string>
#include <vector>

namespace heed::eval {

struct TerOptions {
  bool normalized = false;     // split punctuation off, as Tercom's Normalizer does
  bool no_punct = false;       // drop punctuation
  bool asian_support = false;  // those two act on CJK text too
  bool case_sensitive = false;
};

/// The words TER edits, exactly as sacreBLEU's Tercom tokenizer makes them.
std::vector<std::u32string> ter_tokenize(const std::string& line, const TerOptions& options);

}  // namespace heed::eval
