#include "config/rnn.h"

#include "config/choice.h"

namespace heed::config {

void Rnn::check(const std::string& path) const {
  check_choice(path + ".cell", cell, {"lstm", "gru"});
  check_choice(path + ".attention", attention, {"additive", "dot", "general"});
  check_choice(path + ".init", init, {"bridge", "last", "zero"});
}

}  // namespace heed::config
