#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "text/merges.h"

namespace heed::text {

/// The merges of a codes file: those of subword-nmt (Sennrich et al., 2016), with "#version: 0.2"
/// or without, or of fastBPE, which writes a count behind each.
class MergeCodes {
 public:
  /// Throws DataError, "WHERE:LINE: what".
  MergeCodes(std::string bytes, const std::string& where);

  const std::string& bytes() const { return bytes_; }
  const Merges& merges() const { return merges_; }

  /// The characters of a word, as merging begins. The word must not be empty.
  void start(std::string_view word, std::vector<Part>& parts) const;

  /// After merging: leaves out what stands for the end of the word only.
  static void finish(std::vector<Part>& parts);

  /// The two pieces that merging made a piece of, {"", ""} where nothing was merged. final: the
  /// piece ends its word.
  std::pair<std::string, std::string> halves(const std::string& piece, bool final) const;

 private:
  void read(const std::string& where);
  void add(std::string_view left, std::string_view right);
  Symbol intern(std::string_view text);

  std::string bytes_;
  bool end_apart_ = false;  // version 0.1: the end of a word is a symbol of its own
  Merges merges_{/*rule_by_rule=*/true};
  std::unordered_map<std::string, Symbol> symbols_;
  FlatMap<Symbol> letters_;  // by the bytes of a character and whether it ends its word
  Symbol end_ = kNoSymbol;   // of "</w>"
  int64_t rank_ = 0;
  std::unordered_map<std::string, std::pair<std::string, std::string>> halves_;
};

}  // namespace heed::text
