#include "checkpoint/metrics.h"

#include <limits>

#include "base/files.h"
#include "support/catch.h"
#include "support/scratch.h"

namespace heed::checkpoint {
namespace {

using Json = nlohmann::ordered_json;

TEST_CASE("a number that is not finite is null", "[checkpoint][metrics][unit]") {
  const test::ScratchDirectory run;
  const auto file = run / "metrics.jsonl";
  MetricsWriter writer(file, 0);
  writer.write({{"loss", std::numeric_limits<double>::quiet_NaN()},
                {"score", -std::numeric_limits<double>::infinity()},
                {"text", "\xff"}});
  REQUIRE(read_file(file) == "{\"loss\":null,\"score\":null,\"text\":\"\xef\xbf\xbd\"}\n");
}

TEST_CASE("lines after the resumed step are dropped, with what follows them",
          "[checkpoint][metrics][unit]") {
  const test::ScratchDirectory run;
  const auto file = run / "metrics.jsonl";
  write_file(
      file,
      "{\"event\":\"step\",\"step\":1}\n{\"event\":\"note\"}\n{\"event\":\"step\",\"step\":2}\n"
      "{\"event\":\"step\",\"step\":3}\n{\"event\":\"note\"}\n{\"event\":\"st");
  {
    MetricsWriter writer(file, 2);
  }
  const std::string kept =
      "{\"event\":\"step\",\"step\":1}\n{\"event\":\"note\"}\n{\"event\":\"step\",\"step\":2}\n";
  REQUIRE(read_file(file) == kept);

  MetricsWriter writer(file, 2);
  writer.write({{"step", 3}});
  REQUIRE(read_file(file) == kept + "{\"step\":3}\n");
}

TEST_CASE("a line cut off by a kill is dropped", "[checkpoint][metrics][unit]") {
  const test::ScratchDirectory run;
  const auto file = run / "metrics.jsonl";
  write_file(file, "{\"step\":1}\n{\"ste");
  {
    MetricsWriter writer(file, 9);
  }
  REQUIRE(read_file(file) == "{\"step\":1}\n");
}

TEST_CASE("a training from the start begins an empty file", "[checkpoint][metrics][unit]") {
  const test::ScratchDirectory run;
  const auto file = run / "metrics.jsonl";
  write_file(file, "{\"step\":1}\n");
  {
    MetricsWriter writer(file, 0);
  }
  REQUIRE(read_file(file).empty());
}

}  // namespace
}  // namespace heed::checkpoint
