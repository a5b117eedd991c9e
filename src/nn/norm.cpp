#include "nn/norm.h"

#include "nn/layer_norm.h"
#include "nn/rms_norm.h"

namespace heed::nn {

std::shared_ptr<Norm> make_norm(const NormOptions& options) {
  if (options.type == NormOptions::Type::kRms) {
    return std::make_shared<RmsNormImpl>(RmsNormOptions{.d_model = options.d_model});
  }
  return std::make_shared<LayerNormImpl>(LayerNormOptions{.d_model = options.d_model});
}

}  // namespace heed::nn
