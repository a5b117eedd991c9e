#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <unordered_map>
#include <vector>

namespace heed::text {

/// Pieces and their ids: the four special tokens first, then the others in their order. On disk one
/// piece a line; characters that can't be seen, and the backslash, are escaped (\u2028).
class Vocabulary {
 public:
  /// pieces: without the special tokens. Throws std::logic_error where one comes twice.
  explicit Vocabulary(const std::vector<std::string>& pieces);

  /// The most frequent ones, ties by text, without those spelled like a special token; at most
  /// `size` with the special tokens, each at least `min_count` times.
  static Vocabulary of_counts(const std::unordered_map<std::string, int64_t>& counts, int64_t size,
                              int64_t min_count);

  /// A file of one piece a line; special tokens may be among them, wherever they stand. A number
  /// behind a piece, as subword-nmt writes its count, is passed over. Escapes are read where the
  /// file begins as heed's own do, with <pad>, <unk>, <s> and </s>, and are letters elsewhere.
  /// Throws DataError, "FILE:LINE: what", for an empty, blank or repeated piece, one with white
  /// space in it, and where there are none. `*replaced`, where given, takes the ill-formed parts
  /// that were read as U+FFFD.
  static Vocabulary open(const std::filesystem::path& file, int64_t* replaced = nullptr);

  /// What such a file holds, special tokens first.
  std::string lines() const;

  int64_t size() const { return static_cast<int64_t>(pieces_.size()); }
  const std::string& piece(int64_t id) const { return pieces_.at(id); }
  int64_t id(const std::string& piece) const;  // that of <unk> where there is none

 private:
  std::vector<std::string> pieces_;
  std::unordered_map<std::string, int64_t> ids_;  // of ordinary pieces: text never meets others
};

/// The name of a special token: <pad> <unk> <s> </s>.
const std::string& special_piece(int64_t id);
bool is_special_piece(const std::string& piece);

std::string escape_piece(const std::string& piece);
std::string unescape_piece(const std::string& line);

}  // namespace heed::text
