#include "checkpoint/event_file.h"

#include <cmath>

#include "base/files.h"
#include "support/catch.h"
#include "support/scratch.h"

namespace heed::checkpoint {
namespace {

TEST_CASE("the checksum is CRC-32C", "[checkpoint][event_file][unit]") {
  // RFC 3720, appendix B.4, and the check value of the catalogue of CRCs
  REQUIRE(crc32c("123456789") == 0xE3069283);
  REQUIRE(crc32c(std::string(32, '\0')) == 0x8A9136AA);
  REQUIRE(crc32c(std::string(32, '\xff')) == 0x62A8AB43);
}

TEST_CASE("a file begins with its version, and holds finite numbers only",
          "[checkpoint][event_file][unit]") {
  const test::ScratchDirectory scratch;
  {
    EventFile file(scratch / "events");
    file.write(7, {{"loss", 0.5}, {"gone", std::nan("")}});
  }
  std::string bytes;
  for (const auto& entry : std::filesystem::directory_iterator(scratch / "events")) {
    REQUIRE_THAT(entry.path().filename().string(), test::ContainsSubstring("tfevents"));
    bytes = read_file(entry.path());
  }
  REQUIRE(bytes.find("brain.Event:2") != bytes.npos);
  REQUIRE(bytes.find("loss") != bytes.npos);
  REQUIRE(bytes.find("gone") == bytes.npos);
}

}  // namespace
}  // namespace heed::checkpoint
