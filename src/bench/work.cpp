#include "bench/work.h"

namespace heed::bench {

int64_t multiplied_weights(const config::Run& config, int64_t projection) {
  const auto& model = config.model;
  const auto kv_heads = model.kv_heads == 0 ? model.heads : model.kv_heads;
  const auto kv_width = model.d_model / model.heads * kv_heads;
  const auto attention = 2 * model.d_model * (model.d_model + kv_width);  // Q and output; K and V
  const auto feed_forward = 2 * model.d_model * model.d_ff;

  auto weights = projection + model.enc_layers * (attention + feed_forward);
  if (config.task == "translate") weights += model.dec_layers * (2 * attention + feed_forward);
  return weights;
}

}  // namespace heed::bench
