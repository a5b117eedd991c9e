#include "inspect/score_formula.h"

#include "model/attention_registry.h"
#include "support/catch.h"

namespace heed::inspect {
namespace {

TEST_CASE("every registered variant has a formula of its own", "[inspect][explain][unit]") {
  for (const auto& type : model::attention_types()) {
    CAPTURE(type);
    REQUIRE(score_formula(type).text.find(type + " gives") == std::string::npos);
  }
  REQUIRE(score_formula("new").text == "score = what new gives");
  REQUIRE(score_formula("dot").dot_product);
  REQUIRE_FALSE(score_formula("dot").scaled);
  REQUIRE_FALSE(score_formula("general").dot_product);
  REQUIRE(is_pattern("bigbird"));
  REQUIRE_FALSE(is_pattern("linear"));
}

TEST_CASE("recurrent attention has formulas of its own, of projected queries and keys",
          "[inspect][explain][unit]") {
  REQUIRE_FALSE(recurrent_formula("additive").dot_product);
  REQUIRE(recurrent_formula("dot").dot_product);
  REQUIRE(recurrent_formula("general").dot_product);
  REQUIRE_FALSE(recurrent_formula("general").scaled);
  REQUIRE(pooling_formula().dot_product);
}

}  // namespace
}  // namespace heed::inspect
