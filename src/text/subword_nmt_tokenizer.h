#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "text/merge_codes.h"
#include "text/tokenizer.h"
#include "text/vocabulary.h"

namespace heed::text {

/// What stands between white space, cut into pieces by the merges of a codes file. A piece that the
/// word goes on after ends with the joiner, @@. A piece that is not in the vocabulary is taken
/// apart again, as subword-nmt does with --vocabulary.
class SubwordNmtTokenizer final : public Tokenizer {
 public:
  struct Options {
    std::string joiner = "@@";
    double dropout = 0.0;  // of merges, in sample(); 0 is off
  };

  SubwordNmtTokenizer(std::shared_ptr<const MergeCodes> codes, Vocabulary vocabulary,
                      Options options);

  /// With the pieces of these lines as vocabulary, by frequency; at most `size` with the special
  /// tokens. Throws DataError where there is none.
  static SubwordNmtTokenizer train(std::shared_ptr<const MergeCodes> codes,
                                   const std::vector<std::string>& lines, int64_t size,
                                   int64_t min_count, const Options& options);

  std::vector<Token> tokens(const std::string& line) const override;
  std::vector<int64_t> encode(const std::string& line) const override;
  std::vector<int64_t> sample(const std::string& line, Random& random) const override;
  std::string decode(std::span<const int64_t> ids) const override;
  int64_t size() const override { return vocabulary_.size(); }
  std::string piece(int64_t id) const override { return vocabulary_.piece(id); }
  std::vector<TokenizerFile> files() const override;
  void save(const std::filesystem::path& directory, const std::string& name) const override;

 private:
  struct Piece {
    int64_t id;
    int32_t begin, end;  // bytes of the word
  };

  /// Calls take(word, pieces, first code point) for each word; merge(parts) merges it.
  template <typename Merge, typename Take>
  void each_word_cut(const std::string& line, Merge merge, Take take) const;
  void look_up(std::string_view word, const std::vector<Part>& parts,
               std::vector<Piece>& out) const;
  void take_apart(std::string_view word, Piece piece, bool final, std::vector<Piece>& out) const;
  int64_t id_of(std::string_view piece, bool final) const;

  std::shared_ptr<const MergeCodes> codes_;
  Vocabulary vocabulary_;
  Options options_;
};

}  // namespace heed::text
