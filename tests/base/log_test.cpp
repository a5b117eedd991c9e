#include "base/log.h"

#include <fstream>
#include <regex>

#include "base/error.h"
#include "base/stderr_capture.h"
#include "support/catch.h"
#include "support/scratch.h"

namespace heed {
namespace {

constexpr auto kClear = "\r\x1b[2K";

TEST_CASE("lines go to stderr as they are, warnings and errors say so", "[base][log][unit]") {
  const test::ScratchDirectory scratch;
  const test::StderrToFile to_file(scratch / "stderr");
  log::to_stderr();
  log::to_stderr();  // twice is once
  log::info("step 1 {} %s");
  log::warning("2 lines were cut");
  log::error("a.json: no");
  REQUIRE(to_file.text() == "step 1 {} %s\nwarning: 2 lines were cut\nerror: a.json: no\n");
}

TEST_CASE("where stderr is no terminal there is no status line and no escape code",
          "[base][log][unit]") {
  const test::ScratchDirectory scratch;
  const test::StderrToFile to_file(scratch / "stderr");
  log::to_stderr();
  REQUIRE_FALSE(log::on_terminal());
  log::status("half of it");
  log::info("line");
  log::status("");
  REQUIRE(to_file.text() == "line\n");
}

TEST_CASE("the status line is redrawn in place, and below each line of the log",
          "[base][log][unit]") {
  test::StderrToTerminal terminal(10);
  log::to_stderr();
  REQUIRE(log::on_terminal());
  log::status("50 %");
  REQUIRE(terminal.take() == std::string(kClear) + "50 %");
  log::info("line");
  REQUIRE(terminal.take() == std::string(kClear) + "line\n50 %");
  log::status("");
  REQUIRE(terminal.take() == kClear);
  log::status("");
  log::info("line");
  REQUIRE(terminal.take() == "line\n");
}

TEST_CASE("the status line is cut to the terminal's width, a code point a column",
          "[base][log][unit]") {
  test::StderrToTerminal terminal(4);
  log::status("\xC3\xA4\xC3\xB6\xC3\xBC\xC3\x9F\xC3\xA4");
  REQUIRE(terminal.take() == std::string(kClear) + "\xC3\xA4\xC3\xB6\xC3\xBC\xC3\x9F");
  log::status("");
}

TEST_CASE("a file gets the same lines with the time in front, until its object dies",
          "[base][log][unit]") {
  const test::ScratchDirectory scratch;
  const test::StderrToFile to_file(scratch / "stderr");
  log::to_stderr();
  write_file(scratch / "train.log", "before\n");
  {
    const log::AlsoToFile also(scratch / "train.log");
    log::info("first");
    log::warning("second");
    std::ifstream lines(scratch / "train.log");  // whole at once, not only at the end
    std::string line;
    const std::string time = R"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d )";
    REQUIRE((std::getline(lines, line) && line == "before"));
    REQUIRE((std::getline(lines, line) && std::regex_match(line, std::regex(time + "first"))));
    REQUIRE((std::getline(lines, line) &&
             std::regex_match(line, std::regex(time + "warning: second"))));
  }
  const auto size = std::filesystem::file_size(scratch / "train.log");
  log::info("third");
  REQUIRE(std::filesystem::file_size(scratch / "train.log") == size);
  REQUIRE(to_file.text() == "first\nwarning: second\nthird\n");
}

TEST_CASE("a log file that can't be opened is one fault that names it", "[base][log][unit]") {
  const test::ScratchDirectory scratch;
  REQUIRE_THROWS_AS(log::AlsoToFile(scratch.path()), Error);
  REQUIRE_THROWS_WITH(log::AlsoToFile(scratch.path()),
                      test::ContainsSubstring(scratch.path().string() + ": cannot be written"));
}

}  // namespace
}  // namespace heed
