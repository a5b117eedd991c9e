#include "config/run.h"

#include <algorithm>
#include <cctype>

#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>

#include "base/error.h"
#include "base/files.h"
#include "base/nearest.h"
#include "config/choice.h"
#include "config/data_paths.h"
#include "config/edits.h"
#include "config/fields.h"
#include "config/model_keys.h"
#include "config/peer_names.h"
#include "config/task_keys.h"

namespace heed::config {
namespace {

void check_pair(const std::string& path, const Split& split) {
  if (split.source.empty() == split.target.empty()) return;
  const auto* absent = split.source.empty() ? "source" : "target";
  throw ConfigError(fmt::format("{}.{}: missing; a translation needs both sides", path, absent));
}

void check_data(const std::string& path, const Run& run) {
  const bool translate = run.task == "translate";
  if (translate) {
    check_pair(path + ".train", run.data.train);
    check_pair(path + ".valid", run.data.valid);
    check_pair(path + ".test", run.data.test);
  }
  const auto absent = [&](const Split& split) {
    return translate ? split.source.empty() : split.file.empty();
  };
  if (absent(run.data.train)) {
    throw ConfigError(fmt::format("{}.train.{}: missing; task '{}' needs it", path,
                                  translate ? "source" : "file", run.task));
  }
  if (run.train.patience > 0 && absent(run.data.valid)) {
    throw ConfigError(
        fmt::format("{}.valid: missing; train.patience, which is {}, waits for its "
                    "score",
                    path, run.train.patience));
  }
}

/// The end-of-text token of the longest text stands at data.max_len.
void check_global_positions(const std::string& path, const Run& run) {
  for (const auto position : run.model.attention.global_positions) {
    if (position <= run.data.max_len) continue;
    throw ConfigError(fmt::format("{}: no text reaches position {}, since {} is {}",
                                  join(path, "model.attention.global_positions"), position,
                                  join(path, "data.max_len"), run.data.max_len));
  }
}

/// Other tools' spellings: Warmup-Steps.
std::string normal(std::string key) {
  for (auto& c : key) c = c == '-' ? '_' : static_cast<char>(std::tolower(static_cast<uint8_t>(c)));
  return key;
}

std::string last_name(const std::string& path) { return path.substr(path.rfind('.') + 1); }

/// Whether a key of this section is nearer to `fault.key` by letters than another tool's name is.
bool misspelled_here(const UnknownKey& fault, const PeerName& peer) {
  const auto here = nearest(fault.key, fault.known);
  return edit_distance(fault.key, here) <= edit_distance(fault.key, std::string(peer.name));
}

/// Paths that the user may have meant by a key of the right name in the wrong section, or by a name
/// that other tools use. Those of another tool for this very section come first: train.batch_size.
std::vector<std::string> other_places(const UnknownKey& fault) {
  const auto peer = peer_name_near(normal(fault.key));
  const bool foreign = peer && !misspelled_here(fault, *peer);
  if (foreign && peer->path.starts_with(fault.section + ".")) return {std::string(peer->path)};

  std::vector<std::string> places;
  for (const auto& path : key_paths<Run>()) {
    const bool same = normal(last_name(path)) == normal(fault.key);
    if (same && path != join(fault.section, last_name(path))) places.push_back(path);
  }
  if (places.empty() && foreign) places.emplace_back(peer->path);
  return places;
}

/// A key that heed has elsewhere or calls otherwise is answered with its path.
[[noreturn]] void throw_misplaced(const UnknownKey& fault) {
  const bool here = std::ranges::any_of(
      fault.known, [&](const auto& name) { return normal(name) == normal(fault.key); });
  const auto places = here ? std::vector<std::string>() : other_places(fault);
  if (places.empty()) throw fault;
  throw ConfigError(fmt::format("{}: unknown key; did you mean {}? Here are {}",
                                join(fault.section, printable(fault.key)),
                                fmt::join(places, " or "), fmt::join(fault.known, ", ")));
}

/// Faults begin with the key's path.
Run parse_checked(const Json& json) {
  Run run;
  try {
    if (json.is_object() && json.contains("task")) {
      parse(json.at("task"), "task", run.task);
      check_choice("task", run.task, {"translate", "classify"});
    }
    refuse_keys_of_other_tasks(json, run.task);
    parse(json, "", run);
    refuse_keys_of_other_models(json);
  } catch (const UnknownKey& fault) {
    throw_misplaced(
        {fault.section, fault.key, without_keys_of_other_models(json, fault.section, fault.known)});
  }
  return run;
}

/// Scores that a task has, beside those of the loss.
void check_metric(const std::string& path, const Run& run) {
  const auto& metric = run.train.metric;
  const bool of_both = metric == "auto" || metric == "loss" || metric == "ppl";
  const bool of_labels = metric == "accuracy" || metric == "macro_f1";
  if (of_both || of_labels == (run.task == "classify")) return;
  throw ConfigError(fmt::format("{}: task '{}' has no {}; it has {}", path, run.task, metric,
                                run.task == "classify" ? "loss, ppl, accuracy and macro_f1"
                                                       : "loss, ppl, bleu, chrf, exact_match and "
                                                         "token_accuracy"));
}

void check_average(const std::string& path, const Run& run) {
  if (run.train.average_last <= run.checkpoint.keep_last) return;
  throw ConfigError(fmt::format("{}: {} is more than checkpoint.keep_last, which is {}", path,
                                run.train.average_last, run.checkpoint.keep_last));
}

/// Target vectors need rows of their own to go to.
void check_vectors(const std::string& path, const Run& run) {
  if (run.train.target_vectors.empty()) return;
  const bool classify = run.task == "classify";
  if (!classify && run.model.tie != "all") return;
  throw ConfigError(
      fmt::format("{}: {}; leave it out", join(path, "train.target_vectors"),
                  classify ? "a classifier has no target"
                           : "under model.tie all, source and target share one embedding, which "
                             "train.source_vectors fills"));
}

void check_overlong(const std::string& path, const Run& run) {
  if (run.decode.overlong != "split" || run.data.second.empty()) return;
  throw ConfigError(fmt::format(
      "{}: a pair of texts, which data.second makes, can't be read in parts; give truncate or "
      "error instead of split",
      path));
}

}  // namespace

void Run::check(const std::string& path) const {
  check_choice(join(path, "task"), task, {"translate", "classify"});
  check_data(join(path, "data"), *this);
  check_global_positions(path, *this);
  check_metric(join(path, "train.metric"), *this);
  check_average(join(path, "train.average_last"), *this);
  check_vectors(path, *this);
  check_overlong(join(path, "decode.overlong"), *this);
  if (train.recompute && model.recurrent()) {
    throw ConfigError(
        fmt::format("{}: a recurrent layer's steps are one kernel, which keeps what "
                    "it needs; leave it out",
                    join(path, "train.recompute")));
  }
  if (task == "translate" && model.tie == "all" && !tokenizer.shared) {
    throw ConfigError(fmt::format("{}: 'all' needs one vocabulary for both sides, and {} is false",
                                  join(path, "model.tie"), join(path, "tokenizer.shared")));
  }
}

Run load_run(const std::filesystem::path& file, const std::vector<std::string>& edits,
             const std::function<void(const Run&)>& check, NamedFiles files) {
  auto json = parse_json(read_file(file), file.string());
  std::vector<Edit> parsed;
  for (const auto& text : edits) {
    parsed.push_back(parse_edit(text));
    apply_edit(parsed.back(), json);
  }
  try {
    auto run = parse_checked(json);
    if (check) check(run);
    if (files == NamedFiles::kThere) resolve_paths(file.parent_path(), run);
    return run;
  } catch (const ConfigError& error) {
    throw ConfigError(blame(error.what(), file.string(), parsed));
  } catch (const DataError& error) {
    throw DataError(blame(error.what(), file.string(), parsed));
  }
}

std::string to_json(const Run& run) {
  auto json = dump(run);
  remove_keys_of_other_tasks(json, run.task);
  remove_keys_of_other_models(json);
  return json.dump(2) + "\n";
}

Run parse_run(const std::string& json, const std::string& where) {
  const auto parsed = parse_json(json, where);
  try {
    return parse_checked(parsed);
  } catch (const ConfigError& error) {
    throw ConfigError(fmt::format("{}: {}", where, error.what()));
  }
}

}  // namespace heed::config
