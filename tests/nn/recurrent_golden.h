#pragma once

#include "nn/golden.h"

/// Reads what scripts/golden/nn_recurrent.py wrote.
namespace heed::test {

inline nlohmann::json recurrent_golden() {
  std::ifstream file(HEED_SOURCE_DIR "/tests/golden/nn_recurrent.json");
  return nlohmann::json::parse(file);
}

/// Our names of a cell's parameters and PyTorch's.
inline void name_cell(std::map<std::string, Same>& names, const std::string& ours,
                      const std::string& suffix) {
  for (const auto* name : {"weight_ih", "weight_hh", "bias_ih", "bias_hh"}) {
    names[ours + "." + name] = {std::string(name) + suffix};
  }
}

}  // namespace heed::test
