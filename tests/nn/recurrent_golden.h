#pragma once

#include "nn/golden.h"

/// Reads what scripts/golden/nn_recurrent.py wrote.
namespace heed::test {

inline const nlohmann::json& recurrent_golden() { return golden("nn_recurrent.json"); }

/// Our names of a cell's parameters and PyTorch's.
inline void name_cell(std::map<std::string, Same>& names, const std::string& ours,
                      const std::string& suffix) {
  for (const auto* name : {"weight_ih", "weight_hh", "bias_ih", "bias_hh"}) {
    names[ours + "." + name] = {std::string(name) + suffix};
  }
}

}  // namespace heed::test
