#include "config/model_keys.h"

#include <algorithm>
#include <array>
#include <string>

#include <spdlog/fmt/fmt.h>

#include "base/error.h"
#include "config/model.h"

namespace heed::config {
namespace {

constexpr std::array kTypes = {"transformer", "rnn"};

struct ModelKey {
  const char* pointer;  // RFC 6901
  const char* type;
};

constexpr std::array kModelKeys = {
    ModelKey{"/model/heads", "transformer"},
    ModelKey{"/model/kv_heads", "transformer"},
    ModelKey{"/model/head_dim", "transformer"},
    ModelKey{"/model/d_ff", "transformer"},
    ModelKey{"/model/norm_position", "transformer"},
    ModelKey{"/model/norm", "transformer"},
    ModelKey{"/model/activation", "transformer"},
    ModelKey{"/model/residual", "transformer"},
    ModelKey{"/model/residual_scale", "transformer"},
    ModelKey{"/model/positions", "transformer"},
    ModelKey{"/model/rotary_base", "transformer"},
    ModelKey{"/model/position_scaling", "transformer"},
    ModelKey{"/model/position_factor", "transformer"},
    ModelKey{"/model/relative_buckets", "transformer"},
    ModelKey{"/model/relative_max_distance", "transformer"},
    ModelKey{"/model/pooling", "transformer"},
    ModelKey{"/model/attention/type", "transformer"},
    ModelKey{"/model/attention/impl", "transformer"},
    ModelKey{"/model/attention/value_dim", "transformer"},
    ModelKey{"/model/attention/out_proj", "transformer"},
    ModelKey{"/model/attention/top_k", "transformer"},
    ModelKey{"/model/attention/hidden", "transformer"},
    ModelKey{"/model/attention/window", "transformer"},
    ModelKey{"/model/attention/global_positions", "transformer"},
    ModelKey{"/model/attention/global_tokens", "transformer"},
    ModelKey{"/model/attention/random", "transformer"},
    ModelKey{"/model/attention/block", "transformer"},
    ModelKey{"/decode/cache_max", "transformer"},
    ModelKey{"/decode/cache_precision", "transformer"},
    ModelKey{"/model/rnn", "rnn"},
};

/// The type a config asks for; empty where it is none, which the parse will say.
std::string type_of(const Json& json) {
  const Json::json_pointer pointer("/model/type");
  if (!json.contains(pointer)) return Model{}.type;
  const auto& type = json.at(pointer);
  if (!type.is_string()) return {};
  const auto name = type.get<std::string>();
  return std::ranges::find(kTypes, name) == kTypes.end() ? std::string() : name;
}

std::string dotted(std::string pointer) {
  std::ranges::replace(pointer, '/', '.');
  return pointer.substr(1);
}

}  // namespace

void refuse_keys_of_other_models(const Json& json) {
  const auto type = type_of(json);
  if (type.empty()) return;
  for (const auto& key : kModelKeys) {
    if (key.type == type || !json.contains(Json::json_pointer(key.pointer))) continue;
    throw ConfigError(
        fmt::format("{}: has no meaning under \"model.type\": \"{}\", only under "
                    "\"{}\"",
                    dotted(key.pointer), type, key.type));
  }
}

void remove_keys_of_other_models(Json& json) {
  const auto type = type_of(json);
  for (const auto& key : kModelKeys) {
    const Json::json_pointer pointer(key.pointer);
    if (key.type == type || !json.contains(pointer)) continue;
    json[pointer.parent_pointer()].erase(pointer.back());
  }
}

std::vector<std::string> without_keys_of_other_models(const Json& json, const std::string& path,
                                                      std::vector<std::string> names) {
  const auto type = type_of(json);
  if (type.empty()) return names;
  std::erase_if(names, [&](const std::string& name) {
    return std::ranges::any_of(kModelKeys, [&](const ModelKey& key) {
      return key.type != type && dotted(key.pointer) == path + "." + name;
    });
  });
  return names;
}

}  // namespace heed::config
