#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "config/tokenizer.h"

namespace heed {
class Random;
}

namespace heed::text {

// The ids of the special tokens, in every vocabulary. Only the program puts them in: written in a
// text they are ordinary text.
inline constexpr int64_t kPad = 0;
inline constexpr int64_t kUnknown = 1;
inline constexpr int64_t kBegin = 2;  // <s>
inline constexpr int64_t kEnd = 3;    // </s>
inline constexpr int64_t kSpecials = 4;

struct Token {
  int64_t id = 0;
  std::string piece;  // as in the vocabulary
  int64_t begin = 0;  // code points of the text it covers, [begin, end)
  int64_t end = 0;
};

/// A file of a tokenizer; the suffix, like ".vocab", comes after the name of the tokenizer.
struct TokenizerFile {
  std::string suffix;
  std::string bytes;
};

/// Text <-> ids. Immutable and without locks, so threads share one.
class Tokenizer {
 public:
  virtual ~Tokenizer() = default;

  /// One line of text, without special tokens. Control characters count as white space.
  virtual std::vector<Token> tokens(const std::string& line) const = 0;
  virtual std::vector<int64_t> encode(const std::string& line) const = 0;

  /// What training reads: a segmentation drawn at random where tokenizer.sampling asks for it, else
  /// encode(). A pure function of the line and the state of `random`.
  virtual std::vector<int64_t> sample(const std::string& line, Random& random) const;

  /// Text as a reader expects it. Special tokens are left out, but the unknown token, which is
  /// shown.
  virtual std::string decode(std::span<const int64_t> ids) const = 0;

  virtual int64_t size() const = 0;
  virtual std::string piece(int64_t id) const = 0;  // special tokens: <pad> <unk> <s> </s>

  /// The files that open it again; open_tokenizer takes the name of the first.
  virtual std::vector<TokenizerFile> files() const = 0;
  std::string file() const { return files().front().bytes; }

  /// Writes the files of this tokenizer, named `name`.*, into `directory`.
  virtual void save(const std::filesystem::path& directory, const std::string& name) const = 0;
};

/// The tokenizers of a run. With `tokenizer.shared` both sides are one object; a classifier has a
/// source only.
struct Tokenizers {
  std::shared_ptr<const Tokenizer> source;
  std::shared_ptr<const Tokenizer> target;  // null for a classifier
};

/// What training made of the lines it was given.
struct TrainingReport {
  int64_t lines = 0;          // given
  int64_t skipped_lines = 0;  // over kLongestLine bytes (bpe, unigram)
  int64_t skipped_bytes = 0;
  int64_t sampled_lines = 0;  // lines that were learned from where there were too many; 0: all
};

inline constexpr int64_t kLongestLine = 4192;  // bytes, SentencePiece's own limit

/// A sentence for each thing a user should know of it.
std::vector<std::string> remarks(const TrainingReport& report);

/// Trains (or opens, where the config names a model) a tokenizer for these lines. Throws DataError
/// where the lines can't give one (say, more characters than the vocabulary may have pieces),
/// naming both sizes.
/// `*report`, where given, says what was left out.
std::shared_ptr<const Tokenizer> make_tokenizer(const config::Tokenizer& config,
                                                const std::vector<std::string>& lines,
                                                TrainingReport* report = nullptr);

/// A SentencePiece model (bpe, unigram), merges beside a list of pieces named the same but .vocab
/// (subword_nmt), or a list of pieces (word, char, whitespace). trained_here: see
/// SentencePieceTokenizer. Throws DataError, "FILE: what".
std::shared_ptr<const Tokenizer> open_tokenizer(const std::filesystem::path& file,
                                                const config::Tokenizer& config, bool trained_here);

/// The tokenizer directory of a run: {source,target}.* or shared.*, and the fingerprint of their
/// content. Throws CheckpointError where files are missing or damaged.
void save_tokenizers(const Tokenizers& tokenizers, const std::filesystem::path& directory);
Tokenizers open_tokenizers(const std::filesystem::path& directory, const config::Tokenizer& config);

/// A hash of every piece and its id, in order: two vocabularies of equal size but other order
/// differ.
std::string fingerprint(const Tokenizer& tokenizer);

}  // namespace heed::text
