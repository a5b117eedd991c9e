#include "bench/work.h"

namespace heed::bench {

namespace {

/// Cells, bridge (once a text, so not counted), attention and readout.
int64_t of_recurrent(const config::Run& config) {
  const auto& model = config.model;
  const int64_t gates = model.rnn.cell == "lstm" ? 4 : 3;
  const auto square = model.d_model * model.d_model;
  const auto recurrent = model.rnn.bidirectional ? square / 2 : square;  // halves meet themselves
  const auto encoder = model.enc_layers * gates * (square + recurrent);
  if (config.task == "classify") return encoder + square;
  const auto projections = model.rnn.attention == "additive" ? 2
                           : model.rnn.attention == "dot"    ? 0
                                                             : 1;
  const auto fed = model.rnn.input_feeding ? gates * square : 0;
  return encoder + model.dec_layers * gates * 2 * square + (projections + 2) * square + fed;
}

}  // namespace

int64_t multiplied_weights(const config::Run& config, int64_t projection) {
  const auto& model = config.model;
  if (model.recurrent()) return projection + of_recurrent(config);
  const auto kv_heads = model.kv_heads == 0 ? model.heads : model.kv_heads;
  const auto joined = model.heads * model.value_depth();
  const auto width = (model.heads + kv_heads) * model.key_depth() +  // Q and K
                     kv_heads * model.value_depth() +                // V
                     (model.attention.out_proj ? joined : 0);
  const auto attention = model.d_model * width;
  const auto matrices = model.activation == "swiglu" ? 3 : 2;
  const auto feed_forward = matrices * model.d_model * model.d_ff;

  auto weights = projection + model.enc_layers * (attention + feed_forward);
  if (config.task == "translate") weights += model.dec_layers * (2 * attention + feed_forward);
  return weights;
}

}  // namespace heed::bench
