#include "config/tokenizer.h"

#include <algorithm>

#include <spdlog/fmt/fmt.h>

#include "base/error.h"
#include "config/choice.h"

namespace heed::config {
namespace {

[[noreturn]] void throw_unread(const std::string& path, const char* key, const char* types,
                               const std::string& type) {
  throw ConfigError(
      fmt::format("{0}.{1}: only {2} read it, and {0}.type is {3}", path, key, types, type));
}

}  // namespace

void Tokenizer::check(const std::string& path) const {
  check_choice(path + ".type", type, {"bpe", "unigram", "word", "char", "whitespace"});
  const bool subwords = type == "bpe" || type == "unigram";
  if (!subwords && !model.empty()) throw_unread(path, "model", "bpe and unigram", type);
  if (!subwords && !user_symbols.empty()) {
    throw_unread(path, "user_symbols", "bpe and unigram", type);
  }
  if (subwords && !vocab_file.empty()) {
    throw_unread(path, "vocab_file", "word, char and whitespace", type);
  }
  if (std::ranges::find(user_symbols, "") != user_symbols.end()) {
    throw ConfigError(fmt::format("{}.user_symbols: a symbol must not be empty", path));
  }
}

}  // namespace heed::config
