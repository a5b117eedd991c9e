#include "base/device.h"

#include <ATen/Context.h>
#include <spdlog/fmt/fmt.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "base/error.h"

namespace heed {
namespace {

/// 1 of "cuda:1"; -1 where `name` is no CUDA device.
int cuda_index(const std::string& name) {
  if (name == "cuda") return 0;
  constexpr std::string_view kPrefix = "cuda:";
  const bool digits = name.size() > kPrefix.size() && name.size() < kPrefix.size() + 3 &&
                      name.find_first_not_of("0123456789", kPrefix.size()) == name.npos;
  return name.starts_with(kPrefix) && digits ? std::stoi(name.substr(kPrefix.size())) : -1;
}

int cuda_devices() { return at::hasCUDA() ? static_cast<int>(at::getNumGPUs()) : 0; }

/// With its index, as tensors report theirs.
torch::Device cuda(int index) { return {torch::kCUDA, static_cast<torch::DeviceIndex>(index)}; }

}  // namespace

torch::Device pick_device(const std::string& name) {
  if (name == "cpu") return torch::kCPU;
  const int devices = cuda_devices();
  if (name == "auto") return devices > 0 ? cuda(0) : torch::Device(torch::kCPU);

  const int index = cuda_index(name);
  if (index < 0) {
    throw ConfigError(
        fmt::format("--device: '{}' is unknown; must be cpu, cuda, cuda:N or auto", name));
  }
  if (devices == 0) {
    throw ConfigError(fmt::format(
        "--device: {}: no CUDA device here, or a LibTorch without CUDA; there is cpu", name));
  }
  if (index >= devices) {
    throw ConfigError(
        fmt::format("--device: {}: the last CUDA device here is cuda:{}", name, devices - 1));
  }
  return cuda(index);
}

void keep_freed_memory() {
#ifdef __GLIBC__
  ::mallopt(M_MMAP_MAX, 0);
  ::mallopt(M_TRIM_THRESHOLD, -1);
  ::mallopt(M_TOP_PAD, 512 * 1024 * 1024);
#endif
}

}  // namespace heed
