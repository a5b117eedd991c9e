#include "checkpoint/safetensors_header.h"

#include "base/error.h"
#include "support/catch.h"

// What a malformed header is answered with is in safetensors_test.cpp, as a file.

namespace heed::checkpoint {
namespace {

TEST_CASE("a header that is written is read back in the order of the data",
          "[checkpoint][safetensors_header][unit]") {
  const std::vector<StoredTensor> written = {
      {.name = "b\"\n", .type = torch::kFloat64, .shape = {2}, .begin = 0, .end = 16},
      {.name = "a", .type = torch::kBool, .shape = {3, 1}, .begin = 16, .end = 19},
  };
  const auto text = write_header(written, {{"format", "pt"}});
  REQUIRE(text.size() % 8 == 0);
  const auto read = read_header(text, 19, "here");
  REQUIRE(read.size() == 2);
  for (std::size_t i = 0; i < read.size(); ++i) {
    REQUIRE(read[i].name == written[i].name);
    REQUIRE(read[i].type == written[i].type);
    REQUIRE(read[i].shape == written[i].shape);
    REQUIRE(read[i].begin == written[i].begin);
    REQUIRE(read[i].end == written[i].end);
  }
}

TEST_CASE("a long or broken name is shown short and on one line",
          "[checkpoint][safetensors_header][unit]") {
  const auto header = "{\"" + std::string(5000, 'n') + "\\n\":1}";
  try {
    read_header(header, 0, "here");
    FAIL("accepted");
  } catch (const CheckpointError& error) {
    REQUIRE(std::string(error.what()).size() < 200);
    REQUIRE(std::string(error.what()).find('\n') == std::string::npos);
  }
}

TEST_CASE("a type that the format or heed has no name for is a bug, not a file",
          "[checkpoint][safetensors_header][unit]") {
  REQUIRE_THROWS_AS(type_name(torch::kComplexFloat), std::logic_error);
  REQUIRE(type_name(torch::kBFloat16) == "BF16");
}

}  // namespace
}  // namespace heed::checkpoint
