#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/random.h"
#include "data/batch.h"

namespace heed::data::test {

inline Example example_of(int64_t source, int64_t target, int64_t index) {
  Example example{.source = std::vector<int64_t>(source), .target = {}, .index = index};
  for (int64_t i = 0; i < source; ++i) example.source[i] = 4 + (index + i) % 90;
  example.target.resize(target);
  for (int64_t i = 0; i < target; ++i) example.target[i] = 4 + (index + 7 * i) % 90;
  return example;
}

/// Lengths like those of Multi30k: 4 to 40 words, 12 on average, a translation about as long as its
/// source.
inline std::vector<Example> caption_examples(int64_t count, uint64_t seed) {
  Random random({seed});
  const auto normal = [&] {  // Box and Muller, 1958
    return std::sqrt(-2 * std::log(1 - random.uniform())) * std::cos(6.283185 * random.uniform());
  };
  std::vector<Example> examples;
  for (int64_t index = 0; index < count; ++index) {
    const auto source = std::clamp(std::lround(std::exp(2.48 + 0.33 * normal())), 4L, 40L);
    const auto target = std::clamp(source + std::lround(1.8 * normal()), 3L, 42L);
    examples.push_back(example_of(source, target, index));
  }
  return examples;
}

inline std::vector<Example> labeled_examples(int64_t count, uint64_t seed) {
  auto examples = caption_examples(count, seed);
  for (auto& example : examples) {
    example.target.clear();
    example.label = example.index % 3;
  }
  return examples;
}

}  // namespace heed::data::test
