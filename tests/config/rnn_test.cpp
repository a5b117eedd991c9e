#include "config/rnn.h"

#include "base/error.h"
#include "config/example.h"
#include "support/catch.h"

namespace heed::config {
namespace {

std::string fault(const Rnn& rnn) {
  return test::fault_of<ConfigError>([&] { rnn.check("model.rnn"); });
}

TEST_CASE("every choice of a recurrent model lists its words", "[config][rnn][unit]") {
  REQUIRE(fault({}).empty());
  REQUIRE(fault({.cell = "lstm", .attention = "general", .init = "last"}).empty());
  REQUIRE_THAT(fault({.cell = "gruu"}),
               test::ContainsSubstring("model.rnn.cell: there is no 'gruu'; did you mean 'gru'?"));
  REQUIRE_THAT(fault({.attention = "luong"}),
               test::ContainsSubstring("There are additive, dot, general"));
  REQUIRE_THAT(fault({.init = "first"}), test::ContainsSubstring("There are bridge, last, zero"));
}

}  // namespace
}  // namespace heed::config
