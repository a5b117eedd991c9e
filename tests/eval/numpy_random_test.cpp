#include "eval/numpy_random.h"

#include <string>

#include <nlohmann/json.hpp>

#include "support/catch.h"
#include "support/golden.h"

using heed::eval::NumpyRandom;

TEST_CASE("draws are those of NumPy's default generator", "[eval][numpy_random][golden]") {
  const auto& golden = heed::test::golden("eval_bootstrap.json");
  for (const auto& draws : golden["draws"]) {
    const auto seed = std::stoull(draws["seed"].get<std::string>());
    INFO("seed " << seed);
    NumpyRandom words(seed);
    for (const auto& word : draws["words"]) {
      CHECK(words.next() == std::stoull(word.get<std::string>()));
    }
    for (std::size_t i = 0; i < golden["bounds"].size(); ++i) {
      NumpyRandom random(seed);
      for (const auto& place : draws["below"][i]) {
        CHECK(random.below(golden["bounds"][i]) == place.get<uint32_t>());
      }
    }
  }
}
