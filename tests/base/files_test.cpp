#include "base/files.h"

#include <sys/stat.h>
#include <unistd.h>

#include <future>
#include <map>

#include "base/child.h"
#include "base/error.h"
#include "support/catch.h"
#include "support/scratch.h"

namespace heed {
namespace {

namespace fs = std::filesystem;

std::string all_bytes() {
  std::string bytes;
  for (int i = 0; i < 1'000'000; ++i) bytes += static_cast<char>(i % 251);
  return bytes;
}

/// Name and content of everything in a directory.
std::map<std::string, std::string> contents(const fs::path& directory) {
  std::map<std::string, std::string> found;
  for (const auto& entry : fs::directory_iterator(directory)) {
    found[entry.path().filename().string()] = read_file(entry.path());
  }
  return found;
}

using Contents = std::map<std::string, std::string>;

TEST_CASE("bytes come back as they were written", "[base][files][unit]") {
  const test::ScratchDirectory scratch;
  const auto bytes = GENERATE(values<std::string>({"", "a\r\n\n", std::string("\0\xff\n", 3)}));
  write_file(scratch / "file", "something longer that must go");
  write_file(scratch / "file", bytes);
  REQUIRE(read_file(scratch / "file") == bytes);
  replace_file(scratch / "file", bytes + bytes);
  REQUIRE(contents(scratch.path()) == Contents{{"file", bytes + bytes}});

  write_file(scratch / "large", all_bytes());
  REQUIRE(read_file(scratch / "large") == all_bytes());
}

TEST_CASE("a file that can't be read is a fault of the data that names it and the reason",
          "[base][files][unit]") {
  const test::ScratchDirectory scratch;
  const auto absent = (scratch / "absent").string();
  REQUIRE_THROWS_AS(read_file(absent), DataError);
  REQUIRE_THROWS_WITH(read_file(absent), absent + ": cannot be read: No such file or directory");
  REQUIRE_THROWS_WITH(read_file(scratch.path()), test::ContainsSubstring("Is a directory"));
  REQUIRE_THROWS_AS(checksum_of_file(absent), DataError);
}

TEST_CASE("a directory that is not there is named, and nothing is made", "[base][files][unit]") {
  const test::ScratchDirectory scratch;
  const auto file = scratch / "absent/file";
  REQUIRE_THROWS_AS(write_file(file, "x"), fs::filesystem_error);
  REQUIRE_THROWS_AS(replace_file(file, "x"), fs::filesystem_error);
  REQUIRE_THROWS_WITH(replace_file(file, "x"), test::ContainsSubstring(file.string()));
  REQUIRE_THROWS_WITH(OutputFile(file.string()), test::ContainsSubstring(file.string()));
  REQUIRE_THROWS_AS(sync_directory(scratch / "absent"), fs::filesystem_error);
  REQUIRE(fs::is_empty(scratch.path()));
}

TEST_CASE("a replacement that fails leaves what was there", "[base][files][unit]") {
  const test::ScratchDirectory scratch;
  fs::create_directories(scratch / "taken/by");
  REQUIRE_THROWS_AS(replace_file(scratch / "taken", "x"), fs::filesystem_error);
  REQUIRE(fs::is_directory(scratch / "taken/by"));
  REQUIRE_FALSE(fs::exists(scratch / "taken.partial"));
}

TEST_CASE("a full disk is an error that names the path", "[base][files][unit]") {
  REQUIRE_THROWS_WITH(
      write_file("/dev/full", "x"),
      test::ContainsSubstring("No space left on device") && test::ContainsSubstring("/dev/full"));
  REQUIRE(fs::is_character_file("/dev/full"));

  OutputFile out("/dev/full");
  out.write_line("x");
  REQUIRE_THROWS_WITH(out.commit(), test::ContainsSubstring("No space left on device"));
}

TEST_CASE("a name without a directory is in the working directory", "[base][files][unit]") {
  const test::ScratchDirectory scratch;
  const int code = test::exit_code_of([&] {
    fs::current_path(scratch.path());
    replace_file("file", "bytes");
    sync_directory("");
    return 0;
  });
  REQUIRE(code == 0);
  REQUIRE(contents(scratch.path()) == Contents{{"file", "bytes"}});
}

TEST_CASE("an output stands under its name once it is committed, not before",
          "[base][files][unit]") {
  const test::ScratchDirectory scratch;
  write_file(scratch / "out", "old");
  {
    OutputFile out((scratch / "out").string());
    out.write_line("one");
    out.write("two");
    REQUIRE(read_file(scratch / "out") == "old");
    out.commit();
    REQUIRE(read_file(scratch / "out") == "one\ntwo");
  }
  REQUIRE(contents(scratch.path()) == Contents{{"out", "one\ntwo"}});
}

TEST_CASE("an output without commit leaves nothing, and what was there before",
          "[base][files][unit]") {
  const test::ScratchDirectory scratch;
  write_file(scratch / "old", "old");
  {
    OutputFile fresh((scratch / "new").string());
    OutputFile over((scratch / "old").string());
    fresh.write_line(std::string(100'000, 'x'));
    over.write_line("new");
  }
  REQUIRE(contents(scratch.path()) == Contents{{"old", "old"}});
}

TEST_CASE("an output through a link writes the file behind it", "[base][files][unit]") {
  const test::ScratchDirectory scratch;
  write_file(scratch / "file", "old");
  fs::create_symlink("file", scratch / "link");
  OutputFile out((scratch / "link").string());
  out.write("new");
  out.commit();
  REQUIRE(fs::is_symlink(scratch / "link"));
  REQUIRE(read_file(scratch / "file") == "new");
}

TEST_CASE("an output into a directory is refused, into a device or pipe it is written as it is",
          "[base][files][unit]") {
  const test::ScratchDirectory scratch;
  REQUIRE_THROWS_AS(OutputFile(scratch.path().string()), fs::filesystem_error);
  {
    OutputFile null("/dev/null");
    null.write_line("x");
    null.commit();
  }
  REQUIRE(fs::is_character_file("/dev/null"));

  const auto pipe = (scratch / "pipe").string();
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  auto reader = std::async(std::launch::async, [&] { return read_file(pipe); });
  {
    OutputFile out(pipe);
    out.write_line("through");
    out.commit();
  }
  REQUIRE(reader.get() == "through\n");
  REQUIRE(fs::is_fifo(pipe));
}

TEST_CASE("checksums are XXH3's, of bytes and of files", "[base][files][golden]") {
  // python-xxhash 3.5.0, xxh3_128_hexdigest
  REQUIRE(checksum("") == "99aa06d3014798d86001c324468d497f");
  REQUIRE(checksum("heed") == "85b1a932a5a697fed262e4ae3c9ecc83");
  REQUIRE(checksum(all_bytes()) == "00d4a9d9f77c7d2ddf99c4163891c544");

  const test::ScratchDirectory scratch;
  write_file(scratch / "file", all_bytes());
  REQUIRE(checksum_of_file(scratch / "file") == "00d4a9d9f77c7d2ddf99c4163891c544");
  write_file(scratch / "empty", "");
  REQUIRE(checksum_of_file(scratch / "empty") == "99aa06d3014798d86001c324468d497f");
}

}  // namespace
}  // namespace heed
