#include "text/sentencepiece_trainer.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <sentencepiece_trainer.h>
#include <spdlog/fmt/fmt.h>

#include "base/counted.h"
#include "base/error.h"
#include "base/random.h"
#include "base/utf8.h"
#include "text/characters.h"
#include "text/lines.h"
#include "text/no_text.h"
#include "text/tokenizer.h"
#include "text/vocabulary.h"

namespace heed::text {
namespace {

constexpr int64_t kMostLines = 500'000;  // to learn from
constexpr int64_t kMostBytes = int64_t{256} << 20;

/// The chosen lines, as the library asks for them.
class Sentences final : public sentencepiece::SentenceIterator {
 public:
  Sentences(const std::vector<std::string>& lines, const std::vector<std::size_t>& chosen)
      : lines_(lines), chosen_(chosen) {
    read();
  }
  bool done() const override { return at_ == chosen_.size(); }
  void Next() override {
    ++at_;
    read();
  }
  const std::string& value() const override { return line_; }
  sentencepiece::util::Status status() const override { return {}; }

 private:
  void read() {
    if (!done()) line_ = without_controls(lines_[chosen_[at_]]);
  }

  const std::vector<std::string>& lines_;
  const std::vector<std::size_t>& chosen_;
  std::size_t at_ = 0;
  std::string line_;
};

/// Whether the library's normalization leaves something of it; nothing at all ends the process.
bool leaves_something(const std::string& line) {
  const auto letter = [](unsigned char c) { return c > 0x20 && c < 0x7F; };
  if (std::ranges::any_of(line, letter)) return true;
  return std::ranges::any_of(code_points(line), [](char32_t c) {
    return !is_invisible(c) && c != U'\u2581' && c != U'\uFFFD';
  });
}

/// So many of the items, in their order, each set of them as likely as any other; always the same
/// (selection sampling: Knuth, volume 2, section 3.4.2).
std::vector<std::size_t> drawn(const std::vector<std::size_t>& items, std::size_t count) {
  Random random({items.size(), count});
  std::vector<std::size_t> drawn;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (random.below(items.size() - i) < count - drawn.size()) drawn.push_back(items[i]);
  }
  return drawn;
}

/// The lines to learn from, by their places.
std::vector<std::size_t> usable(const std::vector<std::string>& lines, TrainingReport& report) {
  report.lines = std::ssize(lines);
  std::vector<std::size_t> kept;
  int64_t bytes = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (std::ssize(lines[i]) > kLongestLine) {
      ++report.skipped_lines;
      report.skipped_bytes += std::ssize(lines[i]);
    } else if (leaves_something(lines[i])) {
      kept.push_back(i);
      bytes += std::ssize(lines[i]);
    }
  }
  const double share = bytes > kMostBytes ? static_cast<double>(kMostBytes) / bytes : 1.0;
  const auto most = std::min(kMostLines, static_cast<int64_t>(share * kept.size()));
  if (most >= std::ssize(kept)) return kept;
  report.sampled_lines = most;
  return drawn(kept, most);
}

/// A list as the library reads it: comma-separated, each in quotes.
std::string quoted_list(const std::vector<std::string>& symbols) {
  std::string list;
  for (const auto& symbol : symbols) {
    if (is_special_piece(symbol)) {
      throw ConfigError(fmt::format(
          "tokenizer.user_symbols: '{}' is a special token already; leave it out", symbol));
    }
    list += list.empty() ? "\"" : ",\"";
    for (const char c : symbol) list += c == '"' ? std::string("\"\"") : std::string(1, c);
    list += '"';
  }
  return list;
}

std::unordered_map<std::string, std::string> options(const config::Tokenizer& config) {
  std::unordered_map<std::string, std::string> options = {
      {"model_type", config.type},
      {"vocab_size", std::to_string(config.vocab_size)},
      {"character_coverage", fmt::format("{}", config.character_coverage)},
      {"max_sentence_length", std::to_string(kLongestLine)},
      {"pad_id", std::to_string(kPad)},
      {"unk_id", std::to_string(kUnknown)},
      {"bos_id", std::to_string(kBegin)},
      {"eos_id", std::to_string(kEnd)},
      {"num_threads", "1"},  // sums in one order: the same model every time
      {"unk_surface", special_piece(kUnknown)},
      {"hard_vocab_limit", "false"},  // a text may have fewer pieces than asked for
      {"minloglevel", "2"},
  };
  if (config.normalize != "auto") options["normalization_rule_name"] = "identity";  // done before
  if (config.byte_fallback) options["byte_fallback"] = "true";
  if (!config.user_symbols.empty()) {
    options["user_defined_symbols"] = quoted_list(config.user_symbols);
  }
  return options;
}

/// The number that follows `words` in the library's text.
std::optional<int64_t> number_after(std::string_view text, std::string_view words) {
  const auto at = text.find(words);
  if (at == std::string_view::npos) return std::nullopt;
  std::string digits;
  for (const char c : text.substr(at + words.size())) {
    if (std::isdigit(static_cast<unsigned char>(c)) == 0) break;
    digits += c;
  }
  if (digits.empty()) return std::nullopt;
  return std::stoll(digits);
}

[[noreturn]] void throw_refused(const config::Tokenizer& config, int64_t lines,
                                std::string_view reason) {
  const auto size = config.vocab_size;
  if (const auto least = number_after(reason, fmt::format("required_chars. {} vs ", size))) {
    throw DataError(fmt::format(
        "tokenizer.vocab_size: {}, but the characters of {}{} need {}; raise it, "
        "or lower tokenizer.character_coverage",
        size, counted(lines, "line"), config.byte_fallback ? " and the 256 bytes" : "", *least));
  }
  throw DataError(fmt::format("tokenizer: SentencePiece can't be trained on {}: {}",
                              counted(lines, "line"), reason));
}

}  // namespace

std::string train_sentencepiece(const config::Tokenizer& config,
                                const std::vector<std::string>& lines, TrainingReport* report) {
  TrainingReport own;
  auto& counts = report != nullptr ? *report : own;
  const auto kept = usable(lines, counts);
  if (kept.empty()) {
    throw DataError(no_text(std::ssize(lines), counts.skipped_lines));
  }
  std::string model;
  Sentences sentences(lines, kept);
  const auto status =
      sentencepiece::SentencePieceTrainer::Train(options(config), &sentences, &model);
  if (!status.ok()) throw_refused(config, std::ssize(kept), status.message());
  return model;
}

}  // namespace heed::text
