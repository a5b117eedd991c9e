#include "data/packed.h"

#include "data/examples.h"
#include "support/catch.h"

namespace data = heed::data;

TEST_CASE("examples come out as they went in", "[data][packed][property]") {
  const auto labeled = GENERATE(false, true);
  auto examples =
      labeled ? data::test::labeled_examples(200, 3) : data::test::caption_examples(200, 3);
  examples.push_back({.source = {}, .target = {}, .label = labeled ? 1 : -1, .index = 1LL << 40});
  data::Packed packed;
  for (const auto& example : examples) packed.add(example);
  REQUIRE(packed.size() == std::ssize(examples));
  for (int64_t i = 0; i < packed.size(); ++i) {
    const auto example = packed[i];
    REQUIRE(example.source == examples[i].source);
    REQUIRE(example.target == examples[i].target);
    REQUIRE(example.label == examples[i].label);
    REQUIRE(example.index == examples[i].index);
    REQUIRE(packed.index(i) == examples[i].index);
  }
  const auto shapes = packed.shapes();
  const auto direct = data::shapes_of(examples);
  REQUIRE(shapes.size() == direct.size());
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    REQUIRE(shapes[i].source == direct[i].source);
    REQUIRE(shapes[i].target == direct[i].target);
    REQUIRE((shapes[i].target == 0) == labeled);
  }
}
