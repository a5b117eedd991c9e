#include "pipeline/global_tokens.h"

#include <map>
#include <string>

#include <spdlog/fmt/fmt.h>

#include "base/error.h"
#include "text/split.h"

namespace heed::pipeline {
namespace {

std::map<std::string, int64_t> ids_of_pieces(const text::Tokenizer& tokenizer) {
  std::map<std::string, int64_t> ids;
  for (int64_t id = 0; id < tokenizer.size(); ++id) ids.emplace(tokenizer.piece(id), id);
  return ids;
}

}  // namespace

std::vector<int64_t> global_ids(const config::Attention& config, const text::Tokenizer& tokenizer) {
  std::vector<int64_t> ids;
  if (config.global_tokens.empty()) return ids;
  const auto known = ids_of_pieces(tokenizer);
  for (const auto& token : config.global_tokens) {
    config::check_global_token("model.attention.global_tokens", token);
    bool found = false;
    for (const auto& piece : {token, std::string(text::kVisibleSpace) + token}) {
      const auto at = known.find(piece);
      if (at == known.end()) continue;
      ids.push_back(at->second);
      found = true;
    }
    if (!found) {
      throw ConfigError(fmt::format(
          "model.attention.global_tokens: '{}' is no piece of the source's vocabulary", token));
    }
  }
  return ids;
}

}  // namespace heed::pipeline
