#include "text/subword_nmt_tokenizer.h"

#include <unordered_map>
#include <utility>

#include <spdlog/fmt/fmt.h>

#include "base/counted.h"
#include "base/error.h"
#include "base/files.h"
#include "base/random.h"
#include "base/utf8.h"
#include "text/no_text.h"
#include "text/split.h"

namespace heed::text {
namespace {

/// Calls take(word, first code point) for what stands between white space.
template <typename Take>
void each_word(const std::string& line, Take take) {
  static const auto kSplit = splitting("whitespace").split;
  const auto characters = code_points(line);
  for (const auto& [begin, end] : kSplit(characters)) {
    take(to_utf8(std::u32string_view(characters).substr(begin, end - begin)), begin);
  }
}

int64_t count_characters(std::string_view text) {
  int64_t count = 0;
  for (const unsigned char byte : text) count += (byte & 0xC0) != 0x80;
  return count;
}

}  // namespace

SubwordNmtTokenizer::SubwordNmtTokenizer(std::shared_ptr<const MergeCodes> codes,
                                         Vocabulary vocabulary, Options options)
    : codes_(std::move(codes)), vocabulary_(std::move(vocabulary)), options_(std::move(options)) {}

/// Each different word is cut once.
SubwordNmtTokenizer SubwordNmtTokenizer::train(std::shared_ptr<const MergeCodes> codes,
                                               const std::vector<std::string>& lines, int64_t size,
                                               int64_t min_count, const Options& options) {
  std::unordered_map<std::string, int64_t> words;
  for (const auto& line : lines) {
    each_word(line, [&](std::string word, int64_t) { ++words[std::move(word)]; });
  }
  std::unordered_map<std::string, int64_t> counts;
  Merger merger(codes->merges());
  std::vector<Part> parts;
  for (const auto& [word, count] : words) {
    codes->start(word, parts);
    merger.merge(parts);
    MergeCodes::finish(parts);
    for (const auto& part : parts) {
      const auto piece = word.substr(part.begin, part.end - part.begin);
      counts[&part == &parts.back() ? piece : piece + options.joiner] += count;
    }
  }
  auto vocabulary = Vocabulary::of_counts(counts, size, min_count);
  if (counts.empty()) {
    throw DataError(no_text(std::ssize(lines)));
  }
  if (vocabulary.size() == kSpecials) {
    throw DataError(
        fmt::format("tokenizer: {} with {}, none of them {} times (tokenizer.min_count)",
                    counted(std::ssize(lines), "line"),
                    counted(std::ssize(counts), "different piece"), min_count));
  }
  return {std::move(codes), std::move(vocabulary), options};
}

int64_t SubwordNmtTokenizer::id_of(std::string_view piece, bool final) const {
  std::string name(piece);
  if (!final) name += options_.joiner;
  return vocabulary_.id(name);
}

void SubwordNmtTokenizer::take_apart(std::string_view word, Piece piece, bool final,
                                     std::vector<Piece>& out) const {
  const auto text = word.substr(piece.begin, piece.end - piece.begin);
  const auto [left, right] = codes_->halves(std::string(text), final);
  if (left.empty()) {
    out.push_back(piece);
    return;
  }
  const auto middle = piece.begin + static_cast<int32_t>(left.size());
  const auto half = [&](Piece part, const std::string& name, bool ends) {
    part.id = id_of(name, ends);
    part.id == kUnknown ? take_apart(word, part, ends, out) : out.push_back(part);
  };
  half({kUnknown, piece.begin, middle}, left, false);
  half({kUnknown, middle, piece.end}, right, final);
}

void SubwordNmtTokenizer::look_up(std::string_view word, const std::vector<Part>& parts,
                                  std::vector<Piece>& out) const {
  out.clear();
  for (const auto& part : parts) {
    const bool final = &part == &parts.back();
    const Piece piece{id_of(word.substr(part.begin, part.end - part.begin), final), part.begin,
                      part.end};
    piece.id == kUnknown ? take_apart(word, piece, final, out) : out.push_back(piece);
  }
}

template <typename Merge, typename Take>
void SubwordNmtTokenizer::each_word_cut(const std::string& line, Merge merge, Take take) const {
  std::vector<Part> parts;
  std::vector<Piece> pieces;
  each_word(line, [&](const std::string& word, int64_t begin) {
    codes_->start(word, parts);
    merge(parts);
    MergeCodes::finish(parts);
    look_up(word, parts, pieces);
    take(std::string_view(word), pieces, begin);
  });
}

std::vector<Token> SubwordNmtTokenizer::tokens(const std::string& line) const {
  std::vector<Token> tokens;
  Merger merger(codes_->merges());
  const auto merge = [&](auto& parts) { merger.merge(parts); };
  each_word_cut(line, merge, [&](std::string_view word, const auto& pieces, int64_t begin) {
    for (const auto& piece : pieces) {
      const auto text = word.substr(piece.begin, piece.end - piece.begin);
      const auto end = begin + count_characters(text);
      tokens.push_back({piece.id, vocabulary_.piece(piece.id), begin, end});
      begin = end;
    }
  });
  return tokens;
}

std::vector<int64_t> SubwordNmtTokenizer::encode(const std::string& line) const {
  std::vector<int64_t> ids;
  Merger merger(codes_->merges());
  const auto merge = [&](auto& parts) { merger.merge(parts); };
  each_word_cut(line, merge, [&](std::string_view, const auto& pieces, int64_t) {
    for (const auto& piece : pieces) ids.push_back(piece.id);
  });
  return ids;
}

std::vector<int64_t> SubwordNmtTokenizer::sample(const std::string& line, Random& random) const {
  std::vector<int64_t> ids;
  Merger merger(codes_->merges());
  const auto merge = [&](auto& parts) { merger.merge(parts, options_.dropout, random); };
  each_word_cut(line, merge, [&](std::string_view, const auto& pieces, int64_t) {
    for (const auto& piece : pieces) ids.push_back(piece.id);
  });
  return ids;
}

std::string SubwordNmtTokenizer::decode(std::span<const int64_t> ids) const {
  std::vector<std::string> pieces;
  for (const int64_t id : ids) {
    if (id >= kSpecials || id == kUnknown) pieces.push_back(vocabulary_.piece(id));
  }
  return join_with_spaces(pieces, options_.joiner);
}

std::vector<TokenizerFile> SubwordNmtTokenizer::files() const {
  return {{".codes", codes_->bytes()}, {".vocab", vocabulary_.lines()}};
}

void SubwordNmtTokenizer::save(const std::filesystem::path& directory,
                               const std::string& name) const {
  for (const auto& [suffix, bytes] : files()) replace_file(directory / (name + suffix), bytes);
}

}  // namespace heed::text
