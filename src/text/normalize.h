#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/tokenizer.h"

namespace heed::text {

/// How a line is read before it is cut into pieces: one of Unicode's normal forms, then lower case
/// (each character's own lower-case letter), and every white space as U+0020.
class Normalizer {
 public:
  /// form: none, nfc or nfkc
  Normalizer(const std::string& form, bool lowercase);

  /// What a config asks for; whether that is anything is `active`.
  static Normalizer of(const config::Tokenizer& config);
  bool active() const { return active_; }

  std::string operator()(const std::string& line) const;

  /// The same, and for each of its code points the code points of `line` it was made from,
  /// [begin, end). What a character grew to belongs to the first of its code points; the others
  /// stand behind it with nothing.
  struct Placed {
    std::string text;
    std::vector<int64_t> begin;
    std::vector<int64_t> end;
  };
  Placed with_places(const std::string& line) const;

 private:
  enum class Form { kNone, kNfc, kNfkc };

  void normalize(const std::u32string& line, std::u32string& out, std::vector<int64_t>* begin,
                 std::vector<int64_t>* end) const;
  char32_t finish(char32_t c) const;

  Form form_;
  bool lowercase_;
  bool active_ = true;
};

}  // namespace heed::text
