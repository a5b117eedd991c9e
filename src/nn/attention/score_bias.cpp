#include "nn/attention/score_bias.h"

namespace heed::nn {

torch::Tensor by_distance(const torch::Tensor& values, int64_t query_len) {
  const int64_t key_len = values.size(1) - query_len + 1;
  return values.unfold(1, key_len, 1).flip(1);  // [H, Tq, Tk]
}

}  // namespace heed::nn
