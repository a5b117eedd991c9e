#include "config/task_keys.h"

#include <array>

#include <spdlog/fmt/fmt.h>

#include "base/error.h"

namespace heed::config {
namespace {

struct TaskKey {
  const char* pointer;  // RFC 6901
  const char* task;
};

constexpr std::array kTaskKeys = {
    TaskKey{"/data/train/source", "translate"},
    TaskKey{"/data/train/target", "translate"},
    TaskKey{"/data/valid/source", "translate"},
    TaskKey{"/data/valid/target", "translate"},
    TaskKey{"/data/test/source", "translate"},
    TaskKey{"/data/test/target", "translate"},
    TaskKey{"/data/train/file", "classify"},
    TaskKey{"/data/valid/file", "classify"},
    TaskKey{"/data/test/file", "classify"},
    TaskKey{"/data/format", "classify"},
    TaskKey{"/data/delimiter", "classify"},
    TaskKey{"/data/columns", "classify"},
    TaskKey{"/data/text", "classify"},
    TaskKey{"/data/second", "classify"},
    TaskKey{"/data/label", "classify"},
    TaskKey{"/data/source_prefix", "translate"},
    TaskKey{"/data/target_prefix", "translate"},
    TaskKey{"/data/max_ratio", "translate"},
    TaskKey{"/model/dec_layers", "translate"},
    TaskKey{"/model/tie", "translate"},
    TaskKey{"/model/pooling", "classify"},
    TaskKey{"/model/rnn/attention", "translate"},
    TaskKey{"/model/rnn/init", "translate"},
    TaskKey{"/model/rnn/input_feeding", "translate"},
    TaskKey{"/decode/beam_size", "translate"},
    TaskKey{"/decode/n_best", "translate"},
    TaskKey{"/decode/length_penalty", "translate"},
    TaskKey{"/decode/max_len", "translate"},
    TaskKey{"/decode/cache_max", "translate"},
    TaskKey{"/decode/cache_precision", "translate"},
};

std::string dotted(std::string pointer) {
  for (auto& c : pointer) c = c == '/' ? '.' : c;
  return pointer.substr(1);
}

}  // namespace

void refuse_keys_of_other_tasks(const Json& json, const std::string& task) {
  for (const auto& key : kTaskKeys) {
    if (key.task == task || !json.contains(Json::json_pointer(key.pointer))) continue;
    throw ConfigError(fmt::format("{}: has no meaning under \"task\": \"{}\", only under \"{}\"",
                                  dotted(key.pointer), task, key.task));
  }
}

void remove_keys_of_other_tasks(Json& json, const std::string& task) {
  for (const auto& key : kTaskKeys) {
    const Json::json_pointer pointer(key.pointer);
    if (key.task == task || !json.contains(pointer)) continue;
    json[pointer.parent_pointer()].erase(pointer.back());
  }
}

}  // namespace heed::config
