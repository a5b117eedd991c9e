#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "config/checkpoint.h"
#include "config/data.h"
#include "config/decode.h"
#include "config/log.h"
#include "config/model.h"
#include "config/tokenizer.h"
#include "config/train.h"

namespace heed::config {

/// All that a training is made of: the JSON file of the user, and config.json of a run.
struct Run {
  std::string task = "translate";  // translate or classify
  int64_t seed = 1;
  Data data{};
  Tokenizer tokenizer{};
  Model model{};
  Train train{};
  Checkpoint checkpoint{};
  Decode decode{};
  Log log{};

  bool operator==(const Run&) const = default;

  static void fields(auto& self, auto&& visit) {
    visit("task", self.task);
    visit("seed", self.seed, at_least(0));
    visit("data", self.data);
    visit("tokenizer", self.tokenizer);
    visit("model", self.model);
    visit("train", self.train);
    visit("checkpoint", self.checkpoint);
    visit("decode", self.decode);
    visit("log", self.log);
  }
  void check(const std::string& path) const;
};

/// What becomes of the paths that a config names.
enum class NamedFiles {
  kThere,   // they come out absolute, and must be there
  kUnread,  // they stay as they are
};

/// Reads a config file with `key.path=value` edits, made to the JSON before the one parse. `check`
/// may refuse what only others know, with a ConfigError that begins with the key's path. Throws
/// ConfigError, "FILE: key.path: what" or "--set key.path: what", and DataError where a file, this
/// one or one it names and `files` asks for, is not there.
Run load_run(const std::filesystem::path& file, const std::vector<std::string>& edits = {},
             const std::function<void(const Run&)>& check = {},
             NamedFiles files = NamedFiles::kThere);

/// The resolved config as it stands in a run directory: every field that its task reads.
std::string to_json(const Run& run);

/// Reads back what to_json wrote; paths are taken as they are. Throws ConfigError, whose text
/// begins with `where`.
Run parse_run(const std::string& json, const std::string& where);

}  // namespace heed::config
