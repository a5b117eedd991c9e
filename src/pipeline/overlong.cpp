#include "pipeline/overlong.h"

#include <algorithm>
#include <utility>

#include <spdlog/fmt/fmt.h>

#include "base/error.h"
#include "text/boundaries.h"
#include "text/lines.h"
#include "text/tokenizer.h"

namespace heed::pipeline {
namespace {

/// Cuts one text; see parts_of.
class Cutter {
 public:
  Cutter(const SourceReader& reader, const LengthRule& rule)
      : reader_(reader), max_len_(rule.max_len), apart_(rule.apart) {}

  std::vector<std::string> cut(const std::string& text) {
    parts_.clear();
    if (fits(text)) {
      parts_.push_back(text);
    } else {
      cut(text, text::Unit::kSentence);
    }
    return std::move(parts_);
  }

 private:
  bool fits(const std::string& text) const { return std::ssize(reader_.encode(text)) <= max_len_; }

  void cut(const std::string& text, text::Unit unit) {
    const auto ends = text::unit_ends(text, unit);
    std::size_t begin = 0;
    for (std::size_t next = 0; next < ends.size();) {
      const auto most = apart_ && unit == text::Unit::kSentence ? 1 : ends.size() - next;
      const auto taken = most_that_fit(text, begin, ends, next, most);
      const auto last = next + std::max<std::size_t>(taken, 1) - 1;
      const auto part = text.substr(begin, ends[last] - begin);
      if (taken > 0 || unit == text::Unit::kCharacter) {
        if (!text::blank(part)) parts_.push_back(part);
      } else {
        cut(part, unit == text::Unit::kSentence ? text::Unit::kWord : text::Unit::kCharacter);
      }
      begin = ends[last];
      next = last + 1;
    }
  }

  /// How many units from `next` on, of `most`, make a text that fits: doubled until it doesn't,
  /// then halved.
  std::size_t most_that_fit(const std::string& text, std::size_t begin,
                            const std::vector<std::size_t>& ends, std::size_t next,
                            std::size_t most) const {
    const auto fit = [&](std::size_t count) {
      return fits(text.substr(begin, ends[next + count - 1] - begin));
    };
    std::size_t good = 0, bad = 1;
    while (bad <= most && fit(bad)) {
      good = bad;
      bad *= 2;
    }
    bad = std::min(bad, most + 1);
    while (bad - good > 1) {
      const auto middle = good + (bad - good) / 2;
      (fit(middle) ? good : bad) = middle;
    }
    return good;
  }

  const SourceReader& reader_;
  int64_t max_len_;
  bool apart_;
  std::vector<std::string> parts_;
};

}  // namespace

void append_part(const EncodedLine& part, EncodedLine& line) {
  line.ids.insert(line.ids.end(), part.ids.begin(), part.ids.end());
  line.tokens += part.tokens;
  line.unknown += part.unknown;
}

LineParts parts_of(const SourceReader& reader, const std::vector<std::string>& lines,
                   const LengthRule& rule) {
  LineParts parts;
  Cutter cutter(reader, rule);
  for (const auto& line : lines) {
    parts.first.push_back(parts.texts.size());
    if (rule.overlong != "split" || text::blank(line)) {
      parts.texts.push_back(line);
    } else {
      for (auto& part : cutter.cut(line)) parts.texts.push_back(std::move(part));
    }
  }
  parts.first.push_back(parts.texts.size());
  return parts;
}

std::vector<EncodedLine> encode_lines(const SourceReader& reader,
                                      const std::vector<std::string>& lines, const LengthRule& rule,
                                      const Origin& origin) {
  std::vector<EncodedLine> encoded(lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (text::blank(lines[i])) continue;
    auto& line = encoded[i];
    line.ids = reader.encode(lines[i]);
    line.tokens = std::ssize(line.ids);
    if (line.tokens > rule.max_len && rule.overlong == "error") {
      throw DataError(fmt::format(
          "{}:{}: {} tokens, at most {} (data.max_len); shorten the line, or set decode.overlong "
          "to {}truncate",
          origin.file, origin.first_line + static_cast<int64_t>(i), line.tokens, rule.max_len,
          reader.pairs() ? "" : "split or "));
    }
    if (line.tokens > rule.max_len) line.ids.resize(rule.max_len);
    line.unknown = std::ranges::count(line.ids, text::kUnknown);
  }
  return encoded;
}

}  // namespace heed::pipeline
