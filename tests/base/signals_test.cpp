#include "base/signals.h"

#include <signal.h>
#include <sys/resource.h>

#include "base/child.h"
#include "base/files.h"
#include "support/catch.h"
#include "support/scratch.h"

namespace heed {
namespace {

TEST_CASE("the first signal is only noted, and forgotten by the next watch",
          "[base][signals][unit]") {
  const int signal = GENERATE(SIGINT, SIGTERM);
  {
    const SignalWatch watch;
    REQUIRE(SignalWatch::caught() == 0);
    ::raise(signal);
    REQUIRE(SignalWatch::caught() == signal);
  }
  REQUIRE(SignalWatch::caught() == signal);
  const SignalWatch next;
  REQUIRE(SignalWatch::caught() == 0);
}

TEST_CASE("the second signal ends the process at once with 128 and its number",
          "[base][signals][unit]") {
  const auto second = GENERATE(SIGINT, SIGTERM);
  const int code = test::exit_code_of([&] {
    const SignalWatch watch;
    ::raise(SIGINT);
    ::raise(second);
    return 0;
  });
  REQUIRE(code == 128 + second);
}

TEST_CASE("without a watch signals do what they did before", "[base][signals][unit]") {
  const int code = test::exit_code_of([] {
    ::signal(SIGTERM, SIG_DFL);
    {
      const SignalWatch watch;
    }
    {
      const RemovedOnSignal outer("/nonexistent/a");
      const RemovedOnSignal inner("/nonexistent/b");
    }
    ::raise(SIGTERM);
    return 0;
  });
  REQUIRE(code == 128 + SIGTERM);
}

TEST_CASE("a signal removes the files that are named, and only while they are",
          "[base][signals][unit]") {
  const test::ScratchDirectory scratch;
  for (const auto* name : {"kept", "first", "second"}) write_file(scratch / name, "x");
  const int signal = GENERATE(SIGINT, SIGTERM);
  const int code = test::exit_code_of([&] {
    {
      const RemovedOnSignal passed(scratch / "kept");
    }
    const RemovedOnSignal first(scratch / "first");
    const RemovedOnSignal second(scratch / "second");
    ::raise(signal);
    return 0;
  });
  REQUIRE(code == 128 + signal);
  REQUIRE(std::filesystem::exists(scratch / "kept"));
  REQUIRE_FALSE(std::filesystem::exists(scratch / "first"));
  REQUIRE_FALSE(std::filesystem::exists(scratch / "second"));
}

TEST_CASE("a file beyond the limit is an error that leaves nothing behind",
          "[base][signals][unit]") {
  const test::ScratchDirectory scratch;
  const int code = test::exit_code_of([&] {
    const rlimit limit{.rlim_cur = 4096, .rlim_max = 4096};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    report_file_size_limit();
    try {
      write_file(scratch / "large", std::string(10000, 'x'));
    } catch (const std::filesystem::filesystem_error& error) {
      return error.code() == std::errc::file_too_large ? 0 : 1;
    }
    return 2;
  });
  REQUIRE(code == 0);
  REQUIRE(std::filesystem::is_empty(scratch.path()));
}

}  // namespace
}  // namespace heed
