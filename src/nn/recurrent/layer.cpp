#include "nn/recurrent/layer.h"

namespace heed::nn {

RecurrentLayerImpl::RecurrentLayerImpl(const CellOptions& options, bool bidirectional) {
  TORCH_CHECK(!bidirectional || options.width % 2 == 0, "two directions share a width of ",
              options.width);
  auto each = options;
  if (bidirectional) each.width = options.width / 2;
  forward_ = register_module("forward", Cell(each));
  if (bidirectional) backward_ = register_module("backward", Cell(each));
}

torch::Tensor RecurrentLayerImpl::forward(const torch::Tensor& x, const Packing& packing,
                                          int64_t batch, const Noise* noise) const {
  const auto read = [&](const Cell& cell, bool reverse) {
    return cell
        ->forward(cell->project(x), cell->zeros(batch), packing.batch_sizes(), reverse,
                  cell->state_mask(batch, noise))
        .states;  // [N, width of a direction]
  };
  const auto states = read(forward_, /*reverse=*/false);
  return backward_ ? torch::cat({states, read(backward_, /*reverse=*/true)}, -1) : states;
}

}  // namespace heed::nn
