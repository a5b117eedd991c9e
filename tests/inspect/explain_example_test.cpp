#include "inspect/explain_example.h"

#include <cmath>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "base/utf8.h"
#include "inspect/wrap.h"
#include "support/catch.h"

namespace heed::inspect {
namespace {

using Json = nlohmann::json;

double max_diff(const Json& a, const Json& b) {
  REQUIRE(a.size() == b.size());
  if (a.is_number()) return std::abs(a.get<double>() - b.get<double>());
  double worst = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, max_diff(a[i], b[i]));
  return worst;
}

TEST_CASE("the worked example has the numbers of the reference, query to context",
          "[inspect][explain][golden]") {
  const auto expected = Json::parse(read_file(HEED_SOURCE_DIR "/tests/golden/river_bank.json"));
  const auto example = worked_example("river-bank");
  const auto found = Json::parse(explained_json(example).dump());
  REQUIRE(found["tokens"] == expected["tokens"]);
  for (const auto* key : {"embeddings", "w_q", "w_k", "w_v", "query", "key", "value", "scores",
                          "scaled_scores", "weights", "context"}) {
    CAPTURE(key);
    REQUIRE(max_diff(found[key], expected[key]) < 1e-9);
  }
}

TEST_CASE("the static dot products are the same in both directions, and the scores are not",
          "[inspect][explain][property]") {
  const auto example = worked_example("river-bank");
  REQUIRE(example.dot_products.equal(example.dot_products.t()));
  REQUIRE(std::abs(example.dot_products[0][1].item<double>() - 0.80) < 1e-12);
  REQUIRE((example.scores - example.scores.t()).abs().max().item<double>() > 0.05);
}

TEST_CASE("the text names each step, every shape, and the word with most weight, in 80 columns",
          "[inspect][explain][unit]") {
  const auto text = explained(worked_example("river-bank"));
  std::size_t at = 0;
  for (const auto* part :
       {"x [4, 4]", "x xᵀ [4, 4]", "query = x W_q [4, 4]", "key = x W_k [4, 4]",
        "value = x W_v [4, 4]", "scores = query keyᵀ [4, 4]", "scaled_scores = scores / √4 [4, 4]",
        "weights = softmax(scaled_scores) [4, 4]", "context = weights value [4, 4]"}) {
    CAPTURE(part);
    at = text.find(part, at);
    REQUIRE(at != text.npos);  // in this order
  }
  std::string joined = text;
  for (auto& c : joined) c = c == '\n' ? ' ' : c;
  REQUIRE(joined.find("'by' gets most weight") != joined.npos);
  std::size_t begin = 0;
  for (auto end = text.find('\n'); end != text.npos; end = text.find('\n', begin)) {
    REQUIRE(code_points(text.substr(begin, end - begin)).size() <= kColumns);
    begin = end + 1;
  }
  const auto most = explained_json(worked_example("river-bank"))["most_attended"];
  REQUIRE(most == config::Json::parse(R"(["by", "by", "by", "by"])"));
}

TEST_CASE("an example of another name is refused", "[inspect][explain][unit]") {
  REQUIRE_THROWS_AS(worked_example("river"), ConfigError);
}

}  // namespace
}  // namespace heed::inspect
