#include "text/vocabulary_tokenizer.h"

#include <unordered_map>
#include <utility>

#include <spdlog/fmt/fmt.h>

#include "base/counted.h"
#include "base/error.h"
#include "base/files.h"
#include "base/utf8.h"
#include "text/characters.h"
#include "text/no_text.h"

namespace heed::text {
namespace {

/// The text of a span; a run of white space is one visible space.
std::string piece_of(const std::u32string& line, const Span& span) {
  if (is_space(line[span.begin])) return std::string(kVisibleSpace);
  return to_utf8(std::u32string_view(line).substr(span.begin, span.end - span.begin));
}

}  // namespace

VocabularyTokenizer::VocabularyTokenizer(const std::string& type, Vocabulary vocabulary,
                                         const std::string& joiner)
    : splitting_(splitting(type)), vocabulary_(std::move(vocabulary)) {
  if (joiner.empty()) return;
  splitting_.join = [joiner](const auto& pieces) { return join_with_spaces(pieces, joiner); };
}

VocabularyTokenizer VocabularyTokenizer::train(const std::string& type,
                                               const std::vector<std::string>& lines, int64_t size,
                                               int64_t min_count, const std::string& joiner) {
  const auto how = splitting(type);
  std::unordered_map<std::string, int64_t> counts;
  for (const auto& text : lines) {
    const auto line = code_points(text);
    for (const auto& span : how.split(line)) ++counts[piece_of(line, span)];
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
  return {type, std::move(vocabulary), joiner};
}

std::vector<Token> VocabularyTokenizer::tokens(const std::string& text) const {
  const auto line = code_points(text);
  std::vector<Token> tokens;
  for (const auto& span : splitting_.split(line)) {
    const auto id = vocabulary_.id(piece_of(line, span));
    tokens.push_back({id, vocabulary_.piece(id), span.begin, span.end});
  }
  return tokens;
}

std::vector<int64_t> VocabularyTokenizer::encode(const std::string& text) const {
  const auto line = code_points(text);
  std::vector<int64_t> ids;
  for (const auto& span : splitting_.split(line)) {
    ids.push_back(vocabulary_.id(piece_of(line, span)));
  }
  return ids;
}

std::string VocabularyTokenizer::decode(std::span<const int64_t> ids) const {
  std::vector<std::string> pieces;
  for (const int64_t id : ids) {
    if (id >= kSpecials || id == kUnknown) pieces.push_back(vocabulary_.piece(id));
  }
  return splitting_.join(pieces);
}

void VocabularyTokenizer::save(const std::filesystem::path& directory,
                               const std::string& name) const {
  replace_file(directory / (name + ".vocab"), file());
}

}  // namespace heed::text
