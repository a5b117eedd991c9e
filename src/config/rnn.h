#pragma once

#include <string>

#include "config/range.h"

namespace heed::config {

/// Of recurrent models, "model.type": "rnn".
struct Rnn {
  std::string cell = "gru";            // lstm or gru
  bool bidirectional = true;           // the encoder; each direction has half of d_model
  std::string attention = "additive";  // of the decoder: additive, dot or general
  std::string init = "bridge";         // what the decoder begins with: bridge, last or zero
  bool input_feeding = false;          // the decoder reads its last features, too
  bool layer_norm = false;             // inside the cells
  double state_dropout = 0.0;          // probability, on the state that a step reads

  bool operator==(const Rnn&) const = default;

  static void fields(auto& self, auto&& visit) {
    visit("cell", self.cell);
    visit("bidirectional", self.bidirectional);
    visit("attention", self.attention);
    visit("init", self.init);
    visit("input_feeding", self.input_feeding);
    visit("layer_norm", self.layer_norm);
    visit("state_dropout", self.state_dropout, Range{0.0, 0.99});
  }
  void check(const std::string& path) const;
};

}  // namespace heed::config
