#include "text/vocabulary.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <stdexcept>
#include <tuple>

#include <spdlog/fmt/fmt.h>

#include "base/error.h"
#include "base/one_line.h"
#include "base/utf8.h"
#include "text/characters.h"
#include "text/lines.h"
#include "text/tokenizer.h"

namespace heed::text {
namespace {

const std::array<std::string, kSpecials> kSpecialPieces = {"<pad>", "<unk>", "<s>", "</s>"};

/// The line without a space, or tab, and a number at its end.
std::string without_count(const std::string& line) {
  const auto digits = line.find_last_not_of("0123456789") + 1;
  const bool counted =
      digits > 1 && digits < line.size() && (line[digits - 1] == ' ' || line[digits - 1] == '\t');
  return counted ? line.substr(0, digits - 1) : line;
}

}  // namespace

const std::string& special_piece(int64_t id) { return kSpecialPieces.at(id); }

bool is_special_piece(const std::string& piece) {
  return std::ranges::find(kSpecialPieces, piece) != kSpecialPieces.end();
}

std::string escape_piece(const std::string& piece) {
  std::string line;
  for (const char32_t c : code_points(piece)) {
    if (c == U'\\') {
      line += "\\\\";
    } else if (is_invisible(c)) {
      line += c > 0xFFFF ? fmt::format("\\U{:08x}", static_cast<uint32_t>(c))
                         : fmt::format("\\u{:04x}", static_cast<uint32_t>(c));
    } else {
      append_utf8(c, line);
    }
  }
  return line;
}

std::string unescape_piece(const std::string& line) {
  std::string piece;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] != '\\' || i + 1 == line.size()) {
      piece += line[i];
      continue;
    }
    const char kind = line[++i];
    const std::size_t digits = kind == 'u' ? 4 : kind == 'U' ? 8 : 0;
    uint32_t value = 0;
    const char* begin = line.data() + i + 1;
    const char* end = begin + std::min(digits, line.size() - i - 1);
    const auto parsed = std::from_chars(begin, end, value, 16);
    if (digits > 0 && parsed.ptr == begin + digits) {
      append_utf8(value, piece);
      i += digits;
    } else if (kind == '\\') {
      piece += '\\';
    } else {  // no escape of ours: as it stands
      piece += '\\';
      piece += kind;
    }
  }
  return piece;
}

Vocabulary::Vocabulary(const std::vector<std::string>& pieces)
    : pieces_(kSpecialPieces.begin(), kSpecialPieces.end()) {
  for (const auto& piece : pieces) {
    if (!ids_.emplace(piece, size()).second) {
      throw std::logic_error(fmt::format("'{}' is in the vocabulary twice", piece));
    }
    pieces_.push_back(piece);
  }
}

Vocabulary Vocabulary::of_counts(const std::unordered_map<std::string, int64_t>& counts,
                                 int64_t size, int64_t min_count) {
  std::vector<std::pair<std::string, int64_t>> kept;
  for (const auto& entry : counts) {
    if (entry.second >= min_count && !is_special_piece(entry.first)) kept.push_back(entry);
  }
  std::ranges::sort(kept, {}, [](const auto& entry) {
    return std::tuple(-entry.second, std::string_view(entry.first));
  });
  std::vector<std::string> pieces;
  for (const auto& [piece, count] : kept) {
    if (std::ssize(pieces) + kSpecials == size) break;
    pieces.push_back(piece);
  }
  return Vocabulary(pieces);
}

Vocabulary Vocabulary::open(const std::filesystem::path& file, int64_t* replaced) {
  LineReader reader(file.string());
  std::vector<std::string> pieces;
  std::unordered_map<std::string, int64_t> seen;
  bool own = true;  // as far as it is known
  while (auto line = reader.next()) {
    const auto place = fmt::format("{}:{}", file.string(), reader.line());
    *line = without_count(*line);
    if (blank(*line)) {
      throw DataError(place + ": an empty piece; one piece a line, white space as \\u0020");
    }
    if (std::ranges::any_of(code_points(*line), is_space)) {
      throw DataError(
          fmt::format("{}: white space in '{}'; one piece a line", place, on_one_line(*line)));
    }
    const auto place_in_file = static_cast<std::size_t>(reader.line()) - 1;
    if (place_in_file < kSpecialPieces.size()) {
      own = own && *line == kSpecialPieces[place_in_file];
    }
    auto piece = own ? unescape_piece(*line) : *line;
    const auto [earlier, first] = seen.emplace(piece, reader.line());
    if (!first) {
      throw DataError(fmt::format("{}: '{}' is in line {} already", place, on_one_line(*line),
                                  earlier->second));
    }
    if (!is_special_piece(piece)) pieces.push_back(std::move(piece));
  }
  if (pieces.empty()) throw DataError(file.string() + ": no pieces; one a line is needed");
  if (replaced != nullptr) *replaced += reader.replaced();
  return Vocabulary(pieces);
}

std::string Vocabulary::lines() const {
  std::string text;
  for (const auto& piece : pieces_) text += escape_piece(piece) + '\n';
  return text;
}

int64_t Vocabulary::id(const std::string& piece) const {
  const auto found = ids_.find(piece);
  return found == ids_.end() ? kUnknown : found->second;
}

}  // namespace heed::text
