#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/torch.h"
#include "config/model.h"

namespace heed::inspect {

/// Why a query sees some keys only.
struct WhyHidden {
  std::vector<std::string> words;  // of each key: later, outside, not best or forgotten; "": seen
  std::string meaning;             // of the words that occur, a sentence; empty without any
};

/// Of the query at `row`, of attention of this kind and type. scores: [Tk], minus infinity where
/// hidden.
WhyHidden why_hidden(const config::Model& model, const std::string& type, const std::string& kind,
                     int64_t row, const torch::Tensor& scores);

}  // namespace heed::inspect
