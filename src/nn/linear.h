#pragma once

#include <memory>

#include "base/torch.h"

namespace heed::nn {

/// A weight [out, in] in the form a kernel wants: int8, bf16 or fp16. Read only, so workers share
/// it.
class PackedWeight {
 public:
  virtual ~PackedWeight() = default;

  /// x [..., in] -> x W^T [..., out] in the type of x. Each row of x counts alone, so a sentence
  /// gets the same result in any batch.
  virtual torch::Tensor multiply(const torch::Tensor& x) const = 0;
};

/// What the weights of a layer start as; biases start at 0.
enum class Init {
  kXavierUniform,  // within sqrt(6 / (in + out)) (Glorot & Bengio, 2010, equation 16)
  kXavierNormal,   // std sqrt(2 / (in + out))
  kKaiming,        // within sqrt(6 / in), for ReLU (He et al., 2015, equation 10)
  kSmall,          // std sqrt(2 / (5 in)) (Nguyen & Salazar, 2019, section 2.2)
};

struct LinearOptions {
  int64_t in = 0;
  int64_t out = 0;
  bool bias = true;
  Init init = Init::kXavierUniform;
};

/// Fills a weight [out, in].
void initialize(torch::Tensor& weight, Init init);

/// x W^T + b. The weight is an fp32 parameter, or packed: a quantized model is the same model.
class LinearImpl final : public torch::nn::Module {
 public:
  explicit LinearImpl(const LinearOptions& options);

  /// x [..., in] -> [..., out]
  torch::Tensor forward(const torch::Tensor& x) const;

  /// From now on `packed` multiplies, and the fp32 weight's memory is free. Inference only.
  void pack(std::shared_ptr<const PackedWeight> packed);

  torch::Device device() const { return weight_.device(); }
  bool packed() const { return packed_ != nullptr; }
  const torch::Tensor& weight() const { return weight_; }  // [out, in]; empty when packed
  const torch::Tensor& bias() const { return bias_; }      // [out] or undefined

 private:
  torch::Tensor weight_;  // [out, in]
  torch::Tensor bias_;    // [out] or undefined
  std::shared_ptr<const PackedWeight> packed_;
};
TORCH_MODULE(Linear);

}  // namespace heed::nn
