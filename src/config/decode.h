#pragma once

#include <cstdint>
#include <string>

#include "config/range.h"

namespace heed::config {

struct Decode {
  int64_t beam_size = 5;                 // 1 is greedy search
  int64_t n_best = 1;                    // at most beam_size
  double length_penalty = 1.0;           // exponent of the length the score is divided by
  int64_t batch_size = 64;               // sentences at once
  int64_t max_len = 0;                   // tokens of a result; 0: source length * 2 + 20
  std::string overlong = "truncate";     // truncate, split or error
  int64_t cache_max = 0;                 // keys of self-attention kept; 0: all
  std::string cache_precision = "fp32";  // fp32 (as computed), bf16 or int8

  bool operator==(const Decode&) const = default;

  static void fields(auto& self, auto&& visit) {
    visit("beam_size", self.beam_size, Range{1, 64});
    visit("n_best", self.n_best, Range{1, 64});
    visit("length_penalty", self.length_penalty, Range{0.0, 10.0});
    visit("batch_size", self.batch_size, Range{1, 1048576});
    visit("max_len", self.max_len, Range{0, 1048576});
    visit("overlong", self.overlong);
    visit("cache_max", self.cache_max, Range{0, 1048576});
    visit("cache_precision", self.cache_precision);
  }
  void check(const std::string& path) const;
};

}  // namespace heed::config
