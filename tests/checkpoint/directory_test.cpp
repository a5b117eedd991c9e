#include "checkpoint/directory.h"

#include "base/error.h"
#include "base/files.h"
#include "support/catch.h"
#include "support/scratch.h"

namespace fs = std::filesystem;

namespace heed::checkpoint {
namespace {

Checkpoint make_checkpoint(int64_t step, double score) {
  return {.model = {{"w", torch::full({2, 3}, static_cast<double>(step))}},
          .optimizer = {{"exp_avg.w", torch::full({2, 3}, score)}},
          .progress = {.step = step, .evaluated_step = step, .score = score}};
}

void save_step(const fs::path& run, int64_t step, double score) {
  save(step_directory(run, step), make_checkpoint(step, score), {});
}

template <typename Work>
std::string error_of(Work work) {
  try {
    work();
  } catch (const CheckpointError& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("what is saved is loaded, bit for bit", "[checkpoint][directory][unit]") {
  const test::ScratchDirectory run;
  auto saved = make_checkpoint(500, 1.0 / 3.0);
  saved.progress.seconds = 0.1;
  saved.progress.best_score = 1e-300;
  saved.progress.vocabulary = "abc";
  config::Run config;
  config.data.train = {.source = "/a", .target = "/b"};
  config.train.lr = 0.1;
  config.train.max_steps = 10;
  save(step_directory(run.path(), 500), saved, config);

  const auto dir = find(run.path(), "step-500");
  REQUIRE(dir == run.path() / "checkpoints" / "step-000500");
  const auto loaded = load(dir, /*with_optimizer=*/true);
  REQUIRE(torch::equal(loaded.model.at("w"), saved.model.at("w")));
  REQUIRE(torch::equal(loaded.optimizer.at("exp_avg.w"), saved.optimizer.at("exp_avg.w")));
  REQUIRE(loaded.progress == saved.progress);
  REQUIRE(load_progress(dir) == saved.progress);
  REQUIRE(load(dir, /*with_optimizer=*/false).optimizer.empty());
  REQUIRE(config::parse_run(read_file(dir / "config.json"), "config.json") == config);
}

TEST_CASE("a changed byte anywhere in a checkpoint is found, and its file named",
          "[checkpoint][directory][property]") {
  const test::ScratchDirectory run;
  save_step(run.path(), 1, 0.5);
  const auto dir = step_directory(run.path(), 1);
  for (const std::string name :
       {"model.safetensors", "optimizer.safetensors", "state.json", "config.json"}) {
    const auto whole = read_file(dir / name);
    for (std::size_t place = 0; place < whole.size(); place += 7) {
      auto changed = whole;
      changed[place] = static_cast<char>(changed[place] ^ 0x10);
      write_file(dir / name, changed);
      const auto text = error_of([&] { load(dir, true); });
      REQUIRE_THAT(text, test::ContainsSubstring((dir / name).string() + ": damaged"));
    }
    write_file(dir / name, whole.substr(0, whole.size() / 2));
    REQUIRE_THAT(error_of([&] { load(dir, true); }), test::ContainsSubstring("bytes"));
    fs::remove(dir / name);
    REQUIRE_THAT(error_of([&] { load(dir, true); }), test::ContainsSubstring("cannot be read"));
    write_file(dir / name, whole);
  }
  REQUIRE_NOTHROW(load(dir, true));
}

TEST_CASE("a damaged manifest is refused in one line", "[checkpoint][directory][unit]") {
  const test::ScratchDirectory run;
  save_step(run.path(), 1, 0.5);
  const auto dir = step_directory(run.path(), 1);
  for (const std::string text :
       {"", "{", "[]", "{\"files\": 3}", "{\"files\": {\"a\": {}}}", "{\"files\": {}}"}) {
    CAPTURE(text);
    write_file(dir / "MANIFEST.json", text);
    REQUIRE_THAT(error_of([&] { load(dir, true); }),
                 test::ContainsSubstring("MANIFEST.json: damaged"));
  }
}

TEST_CASE("what a kill left behind is no checkpoint, and goes when the next training begins",
          "[checkpoint][directory][unit]") {
  const test::ScratchDirectory run;
  save_step(run.path(), 1, 0.5);
  const auto left = run.path() / "checkpoints" / "step-000002.partial";
  fs::create_directory(left);
  write_file(left / "model.safetensors", "half");
  write_file(left / "MANIFEST.json", "{}");

  REQUIRE(saved_steps(run.path()) == std::vector<int64_t>{1});
  REQUIRE(find(run.path(), "last") == step_directory(run.path(), 1));
  save_step(run.path(), 3, 0.5);
  REQUIRE(fs::exists(left));  // it may be another process's
  remove_partials(run.path());
  REQUIRE(!fs::exists(left));
  REQUIRE(saved_steps(run.path()) == std::vector<int64_t>{1, 3});
}

TEST_CASE("a checkpoint is replaced only when asked for, and the old one stays where that fails",
          "[checkpoint][directory][unit]") {
  const test::ScratchDirectory run;
  const auto dir = step_directory(run.path(), 1);
  save(dir, make_checkpoint(1, 0.5), {});
  REQUIRE_THROWS_AS(save(dir, make_checkpoint(1, 0.7), {}), CheckpointError);

  auto unstorable = make_checkpoint(1, 0.7);
  unstorable.optimizer["x"] = torch::zeros({2}, torch::kComplexFloat);
  REQUIRE_THROWS(save(dir, unstorable, {}, Existing::kReplace));
  REQUIRE(load_progress(dir).score == 0.5);

  save(dir, make_checkpoint(1, 0.7), {}, Existing::kReplace);
  REQUIRE(load_progress(dir).score == 0.7);
  REQUIRE(std::distance(fs::directory_iterator(run.path() / "checkpoints"), {}) == 1);
}

TEST_CASE("a save that fails leaves nothing, and earlier ones as they were",
          "[checkpoint][directory][unit]") {
  const test::ScratchDirectory run;
  save_step(run.path(), 1, 0.5);
  auto unstorable = make_checkpoint(2, 0.5);
  unstorable.optimizer["x"] = torch::zeros({2}, torch::kComplexFloat);
  REQUIRE_THROWS(save(step_directory(run.path(), 2), unstorable, {}));
  REQUIRE(std::distance(fs::directory_iterator(run.path() / "checkpoints"), {}) == 1);
  REQUIRE_NOTHROW(load(find(run.path(), "last"), true));
  REQUIRE_THROWS_AS(save_step(run.path(), 1, 0.7), CheckpointError);
  REQUIRE(load_progress(find(run.path(), "last")).score == 0.5);
}

TEST_CASE("an absent checkpoint is answered with those there are",
          "[checkpoint][directory][unit]") {
  const test::ScratchDirectory run;
  const auto find_error = [&](const std::string& which) {
    return error_of([&] { find(run.path(), which); });
  };
  REQUIRE_THAT(find_error("last"), test::ContainsSubstring("no checkpoint 'last'; there is none"));
  save_step(run.path(), 5, 0.5);
  save_step(run.path(), 10, 0.5);
  for (const std::string which : {"step-7", "step-", "step-x", "", "nowhere"}) {
    REQUIRE_THAT(find_error(which), test::ContainsSubstring("step-000005, step-000010"));
  }
}

TEST_CASE("best and last are found, by name and by path", "[checkpoint][directory][unit]") {
  const test::ScratchDirectory run;
  save_step(run.path(), 5, 0.5);
  save_step(run.path(), 10, 0.4);
  REQUIRE(find(run.path(), "best") == step_directory(run.path(), 10));  // none was evaluated
  point(run.path(), "best", 5, 0.5);
  REQUIRE(find(run.path(), "best") == step_directory(run.path(), 5));
  REQUIRE(find(run.path(), "last") == step_directory(run.path(), 10));
  const auto path = step_directory(run.path(), 5);
  REQUIRE(find(run.path(), path.string()) == path);

  write_file(run.path() / "best.json", "{\"step\": 5");
  REQUIRE_THAT(error_of([&] { find(run.path(), "best"); }), test::ContainsSubstring("best.json"));
}

TEST_CASE("keeping one checkpoint keeps the last and the best", "[checkpoint][directory][unit]") {
  const test::ScratchDirectory run;
  double best = 0.0;
  const std::vector<double> scores = {5, 9, 7, 6};
  for (int64_t step = 1; step <= 4; ++step) {
    const double score = scores[step - 1];
    save_step(run.path(), step, score);
    if (score > best) point(run.path(), "best", step, best = score);
    point(run.path(), "last", step, std::nullopt);
    prune(run.path(), 1, 1);
  }
  REQUIRE(saved_steps(run.path()) == std::vector<int64_t>{2, 4});
  REQUIRE_NOTHROW(load(find(run.path(), "best"), true));
  REQUIRE_NOTHROW(load(find(run.path(), "last"), true));
}

TEST_CASE("several best ones are kept, a damaged one is nobody's best",
          "[checkpoint][directory][unit]") {
  const test::ScratchDirectory run;
  for (int64_t step = 1; step <= 6; ++step) save_step(run.path(), step, 10.0 - step);
  write_file(step_directory(run.path(), 2) / "state.json", "?");
  prune(run.path(), 2, 2);
  REQUIRE(saved_steps(run.path()) == std::vector<int64_t>{1, 3, 5, 6});
}

TEST_CASE("rolling back forgets what came after", "[checkpoint][directory][unit]") {
  const test::ScratchDirectory run;
  for (int64_t step = 1; step <= 5; ++step) save_step(run.path(), step, step);
  point(run.path(), "best", 5, 5.0);
  point(run.path(), "last", 5, std::nullopt);

  roll_back(run.path(), 3, 2, 2.0);
  REQUIRE(saved_steps(run.path()) == std::vector<int64_t>{1, 2, 3});
  REQUIRE(find(run.path(), "best") == step_directory(run.path(), 2));
  REQUIRE_THAT(read_file(run.path() / "last.json"), test::ContainsSubstring("step-000003"));

  roll_back(run.path(), 1, 0, 0.0);
  REQUIRE(!fs::exists(run.path() / "best.json"));
  REQUIRE(saved_steps(run.path()) == std::vector<int64_t>{1});
}

}  // namespace
}  // namespace heed::checkpoint
