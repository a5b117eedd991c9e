#include "config/tokenizer.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>

#include "base/error.h"
#include "base/one_line.h"
#include "base/utf8.h"
#include "config/choice.h"

namespace heed::config {
namespace {

using Types = std::vector<std::string_view>;

/// Refuses a key that was set under a type which doesn't read it.
void check_read(const std::string& path, const char* key, bool set, const std::string& type,
                const Types& types) {
  if (!set || std::ranges::find(types, type) != types.end()) return;
  const Types most(types.begin(), types.end() - 1);
  throw ConfigError(fmt::format("{0}.{1}: only {2}{3}{4} read{5} it, and {0}.type is {6}", path,
                                key, fmt::join(most, ", "), most.empty() ? "" : " and ",
                                types.back(), most.empty() ? "s" : "", type));
}

/// Refuses what is decided when a tokenizer is trained, and so by an existing model.
void check_decided(const std::string& path, const Tokenizer& config) {
  if (config.model.empty()) return;
  const auto refuse = [&](const char* key, bool set) {
    if (!set) return;
    throw ConfigError(
        fmt::format("{0}.{1}: the model that {0}.model names has its own; leave it "
                    "out",
                    path, key));
  };
  refuse("normalize", config.normalize != "auto");
  refuse("lowercase", config.lowercase);
  refuse("byte_fallback", config.byte_fallback);
  refuse("user_symbols", !config.user_symbols.empty());
}

void check_joiner(const std::string& path, const std::string& joiner) {
  const auto space = [](unsigned char c) { return std::isspace(c) != 0; };
  if (std::ranges::none_of(joiner, space)) return;
  throw ConfigError(
      fmt::format("{}.joiner: '{}' has white space in it, which parts pieces; give "
                  "one like @@",
                  path, joiner));
}

/// SentencePiece would say it in several lines of its own.
void check_symbols(const std::string& path, const std::vector<std::string>& symbols) {
  for (auto symbol = symbols.begin(); symbol != symbols.end(); ++symbol) {
    if (symbol->empty()) {
      throw ConfigError(fmt::format("{}.user_symbols: a symbol must not be empty", path));
    }
    int64_t ill_formed = 0;
    const auto shown = on_one_line(valid_utf8(*symbol, &ill_formed));
    if (ill_formed > 0) {
      throw ConfigError(fmt::format("{}.user_symbols: '{}' is not well-formed UTF-8", path, shown));
    }
    if (std::find(symbols.begin(), symbol, *symbol) != symbol) {
      throw ConfigError(fmt::format("{}.user_symbols: '{}' is there twice", path, shown));
    }
  }
}

}  // namespace

void Tokenizer::check(const std::string& path) const {
  check_choice(path + ".type", type,
               {"bpe", "unigram", "word", "char", "subword_nmt", "whitespace"});
  check_choice(path + ".normalize", normalize, {"auto", "none", "nfc", "nfkc"});
  check_read(path, "min_count", min_count > 1, type, {"word", "char", "subword_nmt", "whitespace"});
  check_read(path, "model", !model.empty(), type, {"bpe", "unigram"});
  check_read(path, "user_symbols", !user_symbols.empty(), type, {"bpe", "unigram"});
  check_read(path, "byte_fallback", byte_fallback, type, {"bpe", "unigram"});
  check_read(path, "vocab_file", !vocab_file.empty(), type,
             {"word", "char", "subword_nmt", "whitespace"});
  check_read(path, "codes", !codes.empty(), type, {"subword_nmt"});
  check_read(path, "joiner", !joiner.empty(), type, {"whitespace", "subword_nmt"});
  check_read(path, "sampling", sampling > 0, type, {"bpe", "unigram", "subword_nmt"});
  check_decided(path, *this);
  check_joiner(path, joiner);
  if (type == "subword_nmt" && codes.empty()) {
    throw ConfigError(fmt::format("{}.codes: missing; subword_nmt needs a file of merges", path));
  }
  check_symbols(path, user_symbols);
  if (type != "unigram" && sampling > 1) {
    throw ConfigError(
        fmt::format("{}.sampling: must be in [0, 1], the probability that a merge is "
                    "dropped, got {}",
                    path, sampling));
  }
}

}  // namespace heed::config
