#include "config/data_paths.h"

#include <stdlib.h>

#include "base/error.h"
#include "config/example.h"
#include "support/catch.h"

namespace heed::config {
namespace {

namespace fs = std::filesystem;

/// In a working directory and with a HEED_DATA of its own while it lives.
class Elsewhere {
 public:
  Elsewhere(const fs::path& working, const fs::path& heed_data) : before_(fs::current_path()) {
    fs::current_path(working);
    ::setenv("HEED_DATA", heed_data.c_str(), 1);
  }
  ~Elsewhere() {
    fs::current_path(before_);
    ::unsetenv("HEED_DATA");
  }
  Elsewhere(const Elsewhere&) = delete;
  Elsewhere& operator=(const Elsewhere&) = delete;

 private:
  fs::path before_;
};

Run with_source(const std::string& path) {
  Run run;
  run.data.train.source = path;
  return run;
}

TEST_CASE("a relative path is looked for beside the config, in HEED_DATA, then in ./data",
          "[config][data_paths][unit]") {
  const test::ScratchDirectory scratch;
  for (const auto* name : {"config", "given", "work/data"}) fs::create_directories(scratch / name);
  const Elsewhere elsewhere(scratch / "work", scratch / "given");
  const auto found = [&] {
    auto run = with_source("x/../f");
    resolve_paths(scratch / "config", run);
    return fs::path(run.data.train.source[0]);
  };
  for (const auto* name : {"config/x", "given/x", "work/data/x"}) {
    fs::create_directories(scratch / name);
  }

  write_file(scratch / "work/data/f", "");
  REQUIRE(found() == scratch / "work/data/f");
  write_file(scratch / "given/f", "");
  REQUIRE(found() == scratch / "given/f");
  fs::create_directory(scratch / "config/f");  // a directory is no file
  REQUIRE(found() == scratch / "given/f");
  fs::remove(scratch / "config/f");
  write_file(scratch / "config/f", "");
  REQUIRE(found() == scratch / "config/f");
}

TEST_CASE("a file that is nowhere is a fault of the data that names it and the places",
          "[config][data_paths][unit]") {
  const test::ScratchDirectory scratch;
  const Elsewhere elsewhere(scratch.path(), "/nowhere/given");
  auto run = with_source("absent.en");
  const auto fault = test::fault_of<DataError>([&] { resolve_paths("/nowhere/config", run); });
  REQUIRE_THAT(fault, test::ContainsSubstring("data.train.source: absent.en: no such file") &&
                          test::ContainsSubstring("/nowhere/config, /nowhere/given, ") &&
                          test::ContainsSubstring((scratch / "data").string()));

  auto absolute = with_source("/nowhere/absent.en");
  REQUIRE_THROWS_WITH(resolve_paths("", absolute),
                      "data.train.source: /nowhere/absent.en: no such file");
}

TEST_CASE("every path of a config is found, and absent ones stay empty",
          "[config][data_paths][unit]") {
  const test::ScratchDirectory scratch;
  write_file(scratch / "f", "");
  Run run;
  for (auto* split : {&run.data.train, &run.data.valid, &run.data.test}) {
    split->source = split->target = split->file = "f";
  }
  run.tokenizer.model = "f";
  run.tokenizer.vocab_file = "f";
  resolve_paths(scratch.path(), run);
  for (const auto* split : {&run.data.train, &run.data.valid, &run.data.test}) {
    REQUIRE(split->source == (scratch / "f").string());
    REQUIRE(split->target == (scratch / "f").string());
    REQUIRE(split->file == (scratch / "f").string());
  }
  REQUIRE(run.tokenizer.model == (scratch / "f").string());
  REQUIRE(run.tokenizer.vocab_file == (scratch / "f").string());

  Run none;
  resolve_paths(scratch.path(), none);
  REQUIRE(none == Run{});
}

TEST_CASE("of several files each is found, and the absent one is named",
          "[config][data_paths][unit]") {
  const test::ScratchDirectory scratch;
  write_file(scratch / "a", "");
  write_file(scratch / "b", "");
  Run run;
  run.data.train.source = {"a", "b"};
  resolve_paths(scratch.path(), run);
  REQUIRE(run.data.train.source == DataNames{(scratch / "a").string(), (scratch / "b").string()});
  run.data.valid.file = {"a", "c"};
  REQUIRE_THAT(test::fault_of<DataError>([&] { resolve_paths(scratch.path(), run); }),
               test::ContainsSubstring("data.valid.file: c: no such file"));
}

TEST_CASE("a path that JSON can't hold is refused", "[config][data_paths][unit]") {
  const test::ScratchDirectory scratch;
  fs::create_directory(scratch / "\xff");
  write_file(scratch / "\xff/f", "");
  auto run = with_source("f");
  REQUIRE_THROWS_WITH(resolve_paths(scratch / "\xff", run),
                      test::ContainsSubstring("must be UTF-8"));
}

}  // namespace
}  // namespace heed::config
