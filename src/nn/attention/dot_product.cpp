#include "nn/attention/dot_product.h"

#include "nn/attention/explicit_attention.h"

namespace heed::nn {

DotProductImpl::DotProductImpl(double dropout) {
  dropout_ = register_module("dropout", Dropout(dropout));
}

torch::Tensor DotProductImpl::forward(const CoreInput& input) {
  check_depths(input);
  return attend_explicitly(input, dot_scores(input.query, input.key, 1.0), dropout_);
}

}  // namespace heed::nn
