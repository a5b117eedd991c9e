#include "data/toy_corpus.h"

#include "base/error.h"
#include "base/files.h"
#include "support/catch.h"
#include "support/scratch.h"

namespace fs = std::filesystem;

namespace heed::data {

TEST_CASE("the committed corpora are what the program makes, byte for byte",
          "[data][toy_corpus][golden]") {
  for (const auto& name : toy_corpora()) {
    CAPTURE(name);
    const auto committed = fs::path(HEED_SOURCE_DIR) / "data" / name;
    const auto files = make_toy_corpus(name);
    for (const auto& file : files) {
      CAPTURE(file.name);
      REQUIRE(checksum_of_file(committed / file.name) == checksum(file.content));
    }
    const auto entries = std::distance(fs::directory_iterator(committed), fs::directory_iterator());
    REQUIRE(entries == std::ssize(files));
  }
}

TEST_CASE("the committed corpora take less than 3 MB", "[data][toy_corpus][unit]") {
  std::size_t bytes = 0;
  for (const auto& name : toy_corpora()) {
    for (const auto& file : make_toy_corpus(name)) bytes += file.content.size();
  }
  REQUIRE(bytes < 3'000'000);
}

TEST_CASE("a corpus can be written into a missing directory and once more over itself",
          "[data][toy_corpus][unit]") {
  heed::test::ScratchDirectory scratch;
  const auto directory = scratch / "some" / "where";
  write_toy_corpus("copy", directory);
  write_file(directory / "train.source", "damaged\n");
  write_file(directory / "mine.txt", "mine\n");

  write_toy_corpus("copy", directory);

  const auto files = make_toy_corpus("copy");
  for (const auto& file : files) REQUIRE(read_file(directory / file.name) == file.content);
  REQUIRE(read_file(directory / "mine.txt") == "mine\n");
  const auto entries = std::distance(fs::directory_iterator(directory), fs::directory_iterator());
  REQUIRE(entries == std::ssize(files) + 1);  // nothing half-made stays
}

TEST_CASE("an unknown corpus is answered with the nearest and all there are",
          "[data][toy_corpus][unit]") {
  REQUIRE_THROWS_AS(make_toy_corpus("revers"), ConfigError);
  REQUIRE_THROWS_WITH(make_toy_corpus("revers"),
                      "revers: unknown corpus; did you mean 'reverse'? There are copy, reverse, "
                      "toy_translation, toy_classification");
  REQUIRE_THROWS_AS(make_toy_corpus(""), ConfigError);

  heed::test::ScratchDirectory scratch;
  REQUIRE_THROWS_AS(write_toy_corpus("toy", scratch / "new"), ConfigError);
  REQUIRE_FALSE(fs::exists(scratch / "new"));
}

}  // namespace heed::data
