#include "checkpoint/lock.h"

#include <unistd.h>

#include <memory>

#include "base/error.h"
#include "base/files.h"
#include "support/catch.h"
#include "support/scratch.h"

namespace heed::checkpoint {
namespace {

TEST_CASE("a second training in a run is refused, naming the first", "[checkpoint][lock][unit]") {
  const test::ScratchDirectory run;
  auto lock = std::make_unique<RunLock>(run.path());
  try {
    const RunLock second(run.path());
    FAIL("two locks");
  } catch (const CheckpointError& error) {
    REQUIRE_THAT(error.what(), test::ContainsSubstring("process " + std::to_string(::getpid())));
  }
  lock.reset();
  REQUIRE_NOTHROW(RunLock(run.path()));
}

TEST_CASE("a lock file left by a kill means nothing", "[checkpoint][lock][unit]") {
  const test::ScratchDirectory run;
  write_file(run / ".lock", "1");
  REQUIRE_NOTHROW(RunLock(run.path()));
}

}  // namespace
}  // namespace heed::checkpoint
