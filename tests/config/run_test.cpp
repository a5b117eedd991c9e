#include "config/run.h"

#include <map>
#include <sstream>
#include <string>

#include "base/error.h"
#include "config/example.h"
#include "config/fields.h"
#include "support/catch.h"

namespace heed::config {
namespace {

/// What load_run says of the example's config with one key set in the file, and by an edit.
struct Faults {
  std::string in_file;
  std::string by_edit;
};

Faults faults_of(const std::string& name, const std::string& pointer, const Json& value) {
  const test::Example example;
  auto json = parse_json(read_file(example / name), name);
  json[Json::json_pointer(pointer)] = value;
  example.write("changed.json", json);

  std::string path = pointer.substr(1);
  for (auto& c : path) c = c == '/' ? '.' : c;
  const auto file = (example / "changed.json").string();
  auto in_file = test::fault_of<ConfigError>([&] { load_run(file); });
  REQUIRE(in_file.starts_with(file + ": "));
  return {.in_file = in_file.substr(file.size() + 2),
          .by_edit = test::fault_of<ConfigError>(
              [&] { load_run(example / name, {path + "=" + value.dump()}); })};
}

void require_both(const Faults& faults, const std::string& begin) {
  CAPTURE(faults.in_file, faults.by_edit);
  REQUIRE(faults.in_file.starts_with(begin));
  REQUIRE(faults.by_edit == "--set " + faults.in_file);
  REQUIRE(faults.in_file.find('\n') == std::string::npos);
}

TEST_CASE("a misspelled key is refused with the nearest, in the file and by an edit",
          "[config][run][unit]") {
  require_both(faults_of("translate.json", "/train/warmup-steps", 4000),
               "train.warmup-steps: unknown key; did you mean 'warmup_steps'? There are ");
  require_both(faults_of("translate.json", "/model/headz", 4),
               "model.headz: unknown key; did you mean 'heads'? There are ");
  require_both(faults_of("translate.json", "/model/attention/typ", "multi_head"),
               "model.attention.typ: unknown key; did you mean 'type'?");
  require_both(faults_of("translate.json", "/tsk", "translate"),
               "tsk: unknown key; did you mean 'task'?");
}

TEST_CASE("a key as other tools call it is answered with heed's, in the file and by an edit",
          "[config][run][unit]") {
  require_both(faults_of("translate.json", "/train/learning_rate", 0.1),
               "train.learning_rate: unknown key; did you mean train.lr? Here are ");
  require_both(faults_of("translate.json", "/train/learning_rte", 0.1),
               "train.learning_rte: unknown key; did you mean train.lr? Here are ");
  require_both(faults_of("translate.json", "/train/batch_size", 64),
               "train.batch_size: unknown key; did you mean train.batch_tokens? Here are ");
  require_both(faults_of("translate.json", "/model/batch_size", 64),
               "model.batch_size: unknown key; did you mean decode.batch_size? Here are ");
  require_both(faults_of("translate.json", "/epochs", 3),
               "epochs: unknown key; did you mean train.max_epochs? Here are ");
}

TEST_CASE("a misplaced key is answered with its section, in the file and by an edit",
          "[config][run][unit]") {
  require_both(faults_of("translate.json", "/model/lr", 0.1),
               "model.lr: unknown key; did you mean train.lr? Here are ");
  require_both(faults_of("translate.json", "/lr", 0.1),
               "lr: unknown key; did you mean train.lr? Here are task, ");
  require_both(faults_of("translate.json", "/model/warmup-steps", 1),
               "model.warmup-steps: unknown key; did you mean train.warmup_steps?");
  require_both(faults_of("translate.json", "/train/dropout", 0.1),
               "train.dropout: unknown key; did you mean model.dropout or "
               "model.attention.dropout?");
  require_both(faults_of("classify.json", "/file", "train.tsv"),
               "file: unknown key; did you mean data.train.file or data.valid.file or "
               "data.test.file?");
}

TEST_CASE("a wrong type or number is refused with what is wanted, in the file and by an edit",
          "[config][run][unit]") {
  require_both(faults_of("translate.json", "/train/batch_tokens", "many"),
               "train.batch_tokens: must be an integer, got \"many\"");
  require_both(faults_of("translate.json", "/train/lr", "fast"), "train.lr: must be a number");
  require_both(faults_of("translate.json", "/train/adam_betas", 0.9),
               "train.adam_betas: must be a list of numbers, got 0.9");
  require_both(faults_of("translate.json", "/model", 5), "model: must be an object, got 5");
  require_both(faults_of("translate.json", "/model/dropout", 1.0),
               "model.dropout: must be in [0, 0.99], got 1");
  require_both(faults_of("translate.json", "/seed", -1), "seed: must be at least 0, got -1");
  require_both(faults_of("translate.json", "/train/schedule", "constent"),
               "train.schedule: there is no 'constent'; did you mean 'constant'?");
  require_both(faults_of("translate.json", "/task", "summarize"),
               "task: there is no 'summarize'; did you mean ");
}

TEST_CASE("keys of the other task are refused", "[config][run][unit]") {
  require_both(faults_of("classify.json", "/model/dec_layers", 3), "model.dec_layers: has no");
  require_both(faults_of("classify.json", "/decode/beam_size", 5), "decode.beam_size: has no");
  require_both(faults_of("classify.json", "/data/train/source", "train.en"),
               "data.train.source: has no meaning under \"task\": \"classify\"");
  require_both(faults_of("translate.json", "/model/pooling", "max"), "model.pooling: has no");
  require_both(faults_of("translate.json", "/data/format", "tsv"), "data.format: has no");
}

TEST_CASE("an unknown section of an edit is refused like a key", "[config][run][unit]") {
  const test::Example example;
  REQUIRE_THROWS_WITH(
      load_run(example / "translate.json", {"trian.lr=1"}),
      test::ContainsSubstring("--set trian.lr: trian: unknown key; did you mean 'train'?"));
}

TEST_CASE("an edit reaches the run, the last one of a key wins", "[config][run][unit]") {
  const test::Example example;
  const auto run = load_run(example / "translate.json",
                            {"train.lr=0.5", "train.lr=3e-4", "train.adam_betas=[0.8,0.9]",
                             "train.optimizer=adamw", "log.every=7"});
  REQUIRE(run.train.lr == 3e-4);
  REQUIRE(run.train.adam_betas == std::vector<double>{0.8, 0.9});
  REQUIRE(run.train.optimizer == "adamw");
  REQUIRE(run.log.every == 7);
  REQUIRE(run.model.d_model == 16);
}

TEST_CASE("paths come out absolute, and what is nowhere is a fault of the data",
          "[config][run][unit]") {
  const test::Example example;
  const auto run = load_run(example / "translate.json");
  REQUIRE(run.data.train.source == (example / "train.en").string());
  REQUIRE(run.data.valid.target == (example / "val.de").string());
  REQUIRE(run.data.test == Split{});

  REQUIRE_THROWS_AS(load_run(example / "translate.json", {"data.train.source=gone"}), DataError);
  REQUIRE_THROWS_WITH(load_run(example / "translate.json", {"data.train.source=gone"}),
                      test::ContainsSubstring("--set data.train.source: gone: no such file"));
  std::filesystem::remove(example / "val.de");
  REQUIRE_THROWS_WITH(
      load_run(example / "translate.json"),
      test::ContainsSubstring((example / "translate.json").string() + ": data.valid.target: "));
  REQUIRE_THROWS_AS(load_run(example / "absent.json"), DataError);
}

TEST_CASE("a config in the working directory needs no folder in its name", "[config][run][unit]") {
  const test::Example example;
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(example.folder());
  Run run;
  const auto fault = test::fault_of<std::exception>([&] { run = load_run("translate.json"); });
  std::filesystem::current_path(before);
  REQUIRE(fault.empty());
  REQUIRE(run.data.train.source == (example / "train.en").string());
}

TEST_CASE("data that the task needs must be named", "[config][run][unit]") {
  const auto none = faults_of("translate.json", "/data/train", Json::object());
  REQUIRE(none.in_file == "data.train.source: missing; task 'translate' needs it");
  REQUIRE(none.by_edit == "--set data.train: " + none.in_file);
  require_both(faults_of("translate.json", "/data/valid/target", ""),
               "data.valid.target: missing; a translation needs both sides");
  require_both(faults_of("classify.json", "/data/train/file", ""),
               "data.train.file: missing; task 'classify' needs it");
  const auto faults = faults_of("classify.json", "/train/patience", 3);
  REQUIRE(faults.in_file == "data.valid: missing; train.patience, which is 3, waits for its score");
}

TEST_CASE("tying all embeddings needs one vocabulary", "[config][run][unit]") {
  const test::Example example;
  REQUIRE(load_run(example / "translate.json", {"model.tie=all"}).model.tie == "all");
  const auto fault = test::fault_of<ConfigError>(
      [&] { load_run(example / "translate.json", {"model.tie=all", "tokenizer.shared=false"}); });
  REQUIRE(fault ==
          "--set model.tie: 'all' needs one vocabulary for both sides, and tokenizer.shared is "
          "false");
}

TEST_CASE("a global position that no text reaches is refused", "[config][run][unit]") {
  const test::Example example;
  const std::vector<std::string> edits{"model.attention.type=longformer", "data.max_len=30",
                                       "model.attention.global_positions=[0, 30]"};
  const auto run = load_run(example / "translate.json", edits);
  REQUIRE(run.model.attention.global_positions == std::vector<int64_t>{0, 30});
  auto beyond = edits;
  beyond[2] = "model.attention.global_positions=[0, 31]";
  const auto fault =
      test::fault_of<ConfigError>([&] { load_run(example / "translate.json", beyond); });
  REQUIRE_THAT(fault, test::ContainsSubstring("model.attention.global_positions: no text reaches "
                                              "position 31, since data.max_len is 30"));
}

TEST_CASE("a training without an end is refused, also without a train section",
          "[config][run][unit]") {
  const test::Example example;
  auto json = test::Example::translation();
  json.erase("train");
  example.write("endless.json", json);
  REQUIRE_THROWS_WITH(load_run(example / "endless.json"),
                      test::ContainsSubstring("train.max_steps: a training needs an end"));
}

TEST_CASE("bad syntax, a key twice and what is no object name the file", "[config][run][unit]") {
  const test::Example example;
  const auto file = example / "bad.json";
  write_file(file, "{\n\"task\": \n}");
  REQUIRE_THROWS_WITH(load_run(file), test::ContainsSubstring(file.string() + ":3: no valid JSON"));
  write_file(file, R"({"train": {"lr": 1, "lr": 2}})");
  REQUIRE_THROWS_WITH(load_run(file), file.string() + ": train.lr: given twice");
  write_file(file, "[]");
  REQUIRE_THROWS_WITH(load_run(file), file.string() + ": must be an object, got a list");
}

TEST_CASE("the resolved config reads back as the same run", "[config][run][property]") {
  const test::Example example;
  const auto name = GENERATE(values<std::string>({"translate.json", "classify.json"}));
  const auto lr = GENERATE(0.0007, 1e-30, 0.1, 1.0 / 3, 5e8);
  auto run = load_run(example / name);
  run.train.lr = lr;
  run.train.adam_betas = {lr / 1e9, 0.98};
  run.seed = INT64_C(9007199254740993);
  run.tokenizer.user_symbols = {"<x>", "\"\\\n\xC3\xA4"};
  const auto text = to_json(run);
  REQUIRE(parse_run(text, "config.json") == run);
  REQUIRE(to_json(parse_run(text, "config.json")) == text);

  write_file(example / "again.json", text);
  REQUIRE(load_run(example / "again.json") == run);
}

TEST_CASE("the resolved config holds every field of its task, in the order of the structs",
          "[config][run][unit]") {
  const test::Example example;
  const auto translation = parse_json(to_json(load_run(example / "translate.json")), "config.json");
  std::vector<std::string> sections;
  for (const auto& item : translation.items()) sections.push_back(item.key());
  REQUIRE(sections == key_names<Run>());
  REQUIRE(translation.at("model").at("dec_layers") == 3);
  REQUIRE_FALSE(translation.at("model").contains("pooling"));

  const auto classification =
      parse_json(to_json(load_run(example / "classify.json")), "config.json");
  REQUIRE(classification.at("model").at("pooling") == "max");
  REQUIRE_FALSE(classification.at("model").contains("dec_layers"));
}

TEST_CASE("a fault of a resolved config names where it stands", "[config][run][unit]") {
  REQUIRE_THROWS_AS(parse_run("{\"seeds\": 1}", "runs/x/config.json"), ConfigError);
  REQUIRE_THROWS_WITH(
      parse_run("{\"seeds\": 1}", "runs/x/config.json"),
      test::ContainsSubstring("runs/x/config.json: seeds: unknown key; did you mean 'seed'?"));
  REQUIRE_THROWS_WITH(parse_run("{", "c.json"), test::ContainsSubstring("c.json:1: "));
}

TEST_CASE("every config of the repository loads, but for data that is not made yet",
          "[config][run][unit]") {
  for (const auto& entry : std::filesystem::directory_iterator(HEED_SOURCE_DIR "/configs")) {
    if (entry.path().extension() != ".json") continue;
    CAPTURE(entry.path().string());
    Run run;
    REQUIRE_NOTHROW(run = parse_run(read_file(entry.path()), entry.path().string()));
    REQUIRE(parse_run(to_json(run), "again") == run);
  }
}

TEST_CASE("pairs of texts are not read in parts", "[config][run][unit]") {
  auto run = parse_run(test::Example::classification().dump(), "c.json");
  run.decode.overlong = "split";
  run.check("");
  run.data.second = "other";
  REQUIRE_THAT(test::fault_of<ConfigError>([&] { run.check(""); }),
               test::ContainsSubstring("decode.overlong: a pair of texts"));
  for (const auto* rule : {"truncate", "error"}) {
    run.decode.overlong = rule;
    run.check("");
  }
}

/// The rows of a Markdown table whose first cell names keys: key -> second cell.
std::map<std::string, std::string> documented_keys(const std::string& text) {
  std::map<std::string, std::string> found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("| `")) continue;
    const auto keys_end = line.find(" | ");
    const auto default_end = line.find(" | ", keys_end + 3);
    auto standard = line.substr(keys_end + 3, default_end - keys_end - 3);
    standard = standard.substr(1, standard.size() - 2);  // without back quotes
    for (auto at = line.find('`'); at < keys_end; at = line.find('`', at + 1)) {
      const auto end = line.find('`', at + 1);
      found[line.substr(at + 1, end - at - 1)] = standard;
      at = end;
    }
  }
  return found;
}

TEST_CASE("docs/config.md has every key with its default, and no other", "[config][run][unit]") {
  auto documented = documented_keys(read_file(HEED_SOURCE_DIR "/docs/config.md"));
  const auto defaults = dump(Run{});
  for (const auto& path : key_paths<Run>()) {
    CAPTURE(path);
    std::string pointer = "/" + path;
    for (auto& c : pointer) c = c == '.' ? '/' : c;
    const auto& standard = defaults.at(Json::json_pointer(pointer));
    if (standard.is_object()) continue;
    REQUIRE(documented.contains(path));
    REQUIRE(parse_json(documented.at(path), "docs/config.md") == standard);
    documented.erase(path);
  }
  for (const auto& [path, standard] : documented) FAIL(path << " is documented, but no key");
}

}  // namespace
}  // namespace heed::config
