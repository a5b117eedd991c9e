#include "nn/recurrent/layer.h"

#include "nn/recurrent/read_texts.h"

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
  const auto reader = [&](const Cell& cell) {
    return TextReader{
        .cell = cell, .state = cell->zeros(batch), .state_mask = cell->state_mask(batch, noise)};
  };
  std::vector<TextReader> readers{reader(forward_)};
  if (backward_) readers.push_back(reader(backward_));
  return read_texts(readers, x, packing.batch_sizes());
}

}  // namespace heed::nn
