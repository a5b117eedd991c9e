#include "inspect/explain_numbers.h"

#include <limits>

#include "support/catch.h"

namespace heed::inspect {
namespace {

TEST_CASE("a table shows name, shape, words and four decimals", "[inspect][explain][unit]") {
  const auto text = number_table({.name = "scores",
                                  .rows = {"river", "bank"},
                                  .columns = {"a", "b"},
                                  .values = torch::tensor({{1.0, 0.25}, {-2.0, 0.00004}})});
  REQUIRE(text ==
          "   scores [2, 2]\n"
          "                       a        b\n"
          "   river          1.0000   0.2500\n"
          "   bank          -2.0000   0.0000\n");
}

TEST_CASE("a list shows eight numbers a line and says how many it leaves out",
          "[inspect][explain][unit]") {
  const auto text = number_list("query", torch::arange(20), 10);
  REQUIRE(text.starts_with("   query [20]\n     0.0000   1.0000"));
  REQUIRE(text.ends_with("\n     8.0000   9.0000\n   … and 10 more\n"));
}

TEST_CASE("numbers become nested JSON, null where they are not finite",
          "[inspect][explain][unit]") {
  const auto infinity = std::numeric_limits<double>::infinity();
  const auto json = numbers_json(torch::tensor({{0.5, -infinity}, {1.0, 2.0}}, torch::kDouble));
  REQUIRE(json == config::Json::parse("[[0.5, null], [1.0, 2.0]]"));
  REQUIRE(shape_of(torch::ones({2, 3})) == "[2, 3]");
}

}  // namespace
}  // namespace heed::inspect
