#include "train/clip.h"

#include <ATen/ops/_foreach_mul.h>
#include <ATen/ops/_foreach_norm.h>

namespace heed::train {

torch::Tensor global_norm(const std::vector<torch::Tensor>& grads) {
  if (grads.empty()) return torch::zeros({});
  return torch::stack(at::_foreach_norm(grads)).norm();
}

void clip(const std::vector<torch::Tensor>& grads, double norm, double clip_norm) {
  if (clip_norm == 0.0 || norm <= clip_norm || grads.empty()) return;
  at::_foreach_mul_(grads, clip_norm / norm);
}

}  // namespace heed::train
