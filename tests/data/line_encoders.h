#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "data/growing_corpus.h"
#include "data/line_encoder.h"

namespace heed::data::test {

/// Lines of made-up ids, every tenth of them empty, each of which takes its time.
class SlowEncoder final : public LineEncoder {
 public:
  SlowEncoder(int64_t lines, int64_t microseconds) : lines_(lines), microseconds_(microseconds) {}

  int64_t lines() const override { return lines_; }
  int64_t sides() const override { return 2; }
  const std::string& text(int64_t, int64_t) const override { return text_; }
  FoundLines::Line place(int64_t line, int64_t) const override {
    return {.file = "slow", .number = line + 1};
  }
  LineExample encode(int64_t line) const override {
    if (line % 64 == 0) std::this_thread::sleep_for(std::chrono::microseconds(microseconds_));
    LineExample out;
    out.example = {.source = std::vector<int64_t>(1 + line % 7, 5),
                   .target = std::vector<int64_t>(1 + line % 9, 6),
                   .index = line};
    if (line % 10 == 9) {
      out.left_out = Reason::kEmpty;
      out.where = place(line, 0);
    }
    return out;
  }
  Example sample(int64_t line, Random& random) const override {
    auto example = encode(line).example;
    for (auto& id : example.source) id = 4 + static_cast<int64_t>(random.below(90));
    return example;
  }
  void forget(int64_t, int64_t) override {}

 private:
  int64_t lines_;
  int64_t microseconds_;
  std::string text_;
};

inline std::unique_ptr<GrowingCorpus> slow_corpus(int64_t lines, int64_t block_lines,
                                                  int64_t milliseconds) {
  return std::make_unique<GrowingCorpus>(
      std::make_unique<SlowEncoder>(lines, milliseconds * 1000), config::Data{},
      GrowingCorpus::Options{.file = "slow", .block_lines = block_lines, .threads = 2});
}

inline std::unique_ptr<GrowingCorpus> sampling_corpus(int64_t lines, int64_t seed) {
  return std::make_unique<GrowingCorpus>(
      std::make_unique<SlowEncoder>(lines, 0), config::Data{},
      GrowingCorpus::Options{.file = "slow", .sampling = true, .seed = seed});
}

}  // namespace heed::data::test
