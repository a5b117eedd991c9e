#include "checkpoint/manifest.h"

#include "base/error.h"
#include "base/files.h"
#include "support/catch.h"
#include "support/scratch.h"

namespace heed::checkpoint {
namespace {

TEST_CASE("a manifest names what lies in a directory, and holds for it",
          "[checkpoint][manifest][unit]") {
  const test::ScratchDirectory scratch;
  write_file(scratch / "a", "one");
  write_file(scratch / "b", "");
  write_file(scratch / kManifest, make_manifest(scratch.path()));

  const Manifest manifest(scratch.path());
  REQUIRE(manifest.names("a"));
  REQUIRE(manifest.names("b"));
  REQUIRE(!manifest.names("c"));
  REQUIRE_NOTHROW(manifest.verify("a"));
  REQUIRE_NOTHROW(manifest.verify("b"));
  REQUIRE_THROWS_AS(manifest.verify("c"), CheckpointError);

  write_file(scratch / "a", "two");
  REQUIRE_THROWS_AS(manifest.verify("a"), CheckpointError);
  write_file(scratch / "b", "longer");
  REQUIRE_THROWS_AS(manifest.verify("b"), CheckpointError);
}

TEST_CASE("a directory without a manifest is refused", "[checkpoint][manifest][unit]") {
  const test::ScratchDirectory scratch;
  REQUIRE_THROWS_AS(Manifest(scratch.path()), CheckpointError);
}

}  // namespace
}  // namespace heed::checkpoint
