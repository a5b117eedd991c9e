#pragma once

#include "nn/recurrent/cell.h"
#include "nn/recurrent/packing.h"

namespace heed::nn {

/// A layer of a recurrent encoder: one cell, or two that read in both directions with half of the
/// width each (Schuster & Paliwal, 1997).
class RecurrentLayerImpl final : public torch::nn::Module {
 public:
  /// options.width: of the result; even where the layer is bidirectional
  RecurrentLayerImpl(const CellOptions& options, bool bidirectional);

  /// x [N, in] packed -> [N, width]; each text begins with a state of zeros. noise: of the texts,
  /// sorted
  torch::Tensor forward(const torch::Tensor& x, const Packing& packing, int64_t batch,
                        const Noise* noise) const;

 private:
  Cell forward_{nullptr};
  Cell backward_{nullptr};  // null where the layer goes one way
};
TORCH_MODULE(RecurrentLayer);

}  // namespace heed::nn
