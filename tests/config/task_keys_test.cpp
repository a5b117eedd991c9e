#include "config/task_keys.h"

#include <algorithm>

#include "base/error.h"
#include "config/example.h"
#include "config/fields.h"
#include "support/catch.h"

namespace heed::config {
namespace {

TEST_CASE("a classification has no decoder and a translation no labels",
          "[config][task_keys][unit]") {
  const auto decoder = Json::parse(R"({"model": {"heads": 2, "dec_layers": 3}})");
  REQUIRE_NOTHROW(refuse_keys_of_other_tasks(decoder, "translate"));
  REQUIRE_THROWS_AS(refuse_keys_of_other_tasks(decoder, "classify"), ConfigError);
  REQUIRE_THROWS_WITH(refuse_keys_of_other_tasks(decoder, "classify"),
                      "model.dec_layers: has no meaning under \"task\": \"classify\", only under "
                      "\"translate\"");

  const auto labels = Json::parse(R"({"data": {"label": "y"}})");
  REQUIRE_NOTHROW(refuse_keys_of_other_tasks(labels, "classify"));
  REQUIRE_THROWS_AS(refuse_keys_of_other_tasks(labels, "translate"), ConfigError);
}

TEST_CASE("what is no object has no keys to refuse", "[config][task_keys][unit]") {
  const auto json = Json::parse(R"({"data": [1], "model": 5, "decode": null})");
  REQUIRE_NOTHROW(refuse_keys_of_other_tasks(json, "classify"));
  REQUIRE_NOTHROW(refuse_keys_of_other_tasks(Json::parse("7"), "classify"));
}

TEST_CASE("the keys one task leaves out are keys that there are, and the other's",
          "[config][task_keys][property]") {
  const auto every = dump(Run{});
  auto translate = every, classify = every;
  remove_keys_of_other_tasks(translate, "translate");
  remove_keys_of_other_tasks(classify, "classify");
  const auto leaves = [](const Json& json) { return json.flatten().size(); };
  // 3 files, format, delimiter, columns, text, second, label, pooling; 6 files, 2 prefixes,
  // max_ratio, dec_layers, tie, 3 of recurrent decoders, 6 of the search.
  REQUIRE(leaves(every) - leaves(translate) == 10);
  REQUIRE(leaves(every) - leaves(classify) == 20);
  REQUIRE_NOTHROW(refuse_keys_of_other_tasks(translate, "translate"));
  REQUIRE_NOTHROW(refuse_keys_of_other_tasks(classify, "classify"));
}

}  // namespace
}  // namespace heed::config
