#include "train/precision.h"

#include <ATen/detail/CUDAHooksInterface.h>

namespace heed::train {
namespace {

/// Of compute capability 8 (Ampere) or newer; asked this way, no CUDA header is needed.
bool computes_in_bf16(torch::Device device) {
  return device.is_cuda() && at::detail::getCUDAHooks().supportsBFloat16ConvolutionWithCuDNNv8();
}

}  // namespace

std::optional<torch::ScalarType> pick_precision(const std::string& name, torch::Device device) {
  if (name == "bf16" || (name == "auto" && computes_in_bf16(device))) return torch::kBFloat16;
  if (name == "fp16") return torch::kHalf;
  return std::nullopt;
}

std::string precision_name(std::optional<torch::ScalarType> precision) {
  if (!precision) return "fp32";
  return *precision == torch::kHalf ? "fp16" : "bf16";
}

}  // namespace heed::train
