#include "inspect/why_hidden.h"

#include <limits>

#include "support/catch.h"

namespace heed::inspect {
namespace {

using Words = std::vector<std::string>;

WhyHidden why_of(const config::Model& model, const std::string& kind, int64_t row,
                 const std::vector<int>& hidden) {
  auto scores = torch::zeros({std::ssize(hidden)});
  for (std::size_t i = 0; i < hidden.size(); ++i) {
    if (hidden[i]) scores[static_cast<int64_t>(i)] = -std::numeric_limits<float>::infinity();
  }
  return why_hidden(model, model.attention.type, kind, row, scores);
}

TEST_CASE("what is seen needs no reason", "[inspect][why_hidden][unit]") {
  const auto why = why_of({}, "encoder", 0, {0, 0});
  REQUIRE(why.words == Words{"", ""});
  REQUIRE(why.meaning.empty());
}

TEST_CASE("later tokens, forgotten ones and those of lower score are told apart",
          "[inspect][why_hidden][unit]") {
  const auto why = why_of({}, "decoder", 2, {0, 1, 0, 1});
  REQUIRE(why.words == Words{"", "forgotten", "", "later"});
  REQUIRE(why.meaning ==
          "Hidden is forgotten: the cache no longer kept it; later: it was not there yet");
  config::Model model;
  model.attention = {.type = "top_k", .top_k = 2};
  const auto best = why_of(model, "cross", 0, {0, 1, 0});
  REQUIRE(best.words == Words{"", "not best", ""});
  REQUIRE(best.meaning == "Hidden is not best: 2 scored higher");
}

TEST_CASE("a pattern's reason names what it would have taken", "[inspect][why_hidden][unit]") {
  config::Model model;
  model.attention.type = "bigbird";
  model.attention.window = 1;
  model.attention.global_positions = {0};
  model.attention.global_tokens = {"</s>"};
  const auto why = why_of(model, "decoder", 3, {1, 1, 0, 0});
  REQUIRE(why.words == Words{"forgotten", "outside", "", ""});
  REQUIRE_THAT(why.meaning,
               test::ContainsSubstring("outside: more than 1 place away, neither of the two a "
                                       "global token (global_tokens are such in the encoder only), "
                                       "and no random key of the block"));
  model.attention.type = "window";
  REQUIRE(why_of(model, "encoder", 3, {0, 1, 0, 0}).meaning ==
          "Hidden is outside: more than 1 place away");
}

}  // namespace
}  // namespace heed::inspect
