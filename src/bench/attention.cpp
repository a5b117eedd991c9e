#include "bench/attention.h"

#include <algorithm>
#include <chrono>
#include <memory>

#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>

#include "base/device.h"
#include "base/error.h"
#include "bench/median.h"
#include "bench/memory.h"
#include "model/attention_registry.h"

namespace heed::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int64_t kWarmUpLength = 64;
constexpr int64_t kFewest = 5;       // times that are measured
constexpr int64_t kMost = 200;       // likewise
constexpr double kEnoughMs = 500;    // of measured time
constexpr double kTooLongMs = 4000;  // after which kFewest don't matter

config::Model shape_of(const AttentionCell& cell) {
  auto model = cell.model;
  model.positions = "none";
  model.attention.dropout = 0.0;
  model.attention.type = cell.type;
  if (cell.type == "explicit" || cell.type == "fused") {
    model.attention.type = "multi_head";
    model.attention.impl = cell.type;
  }
  if (cell.type == "longformer" || cell.type == "bigbird") {
    model.attention.global_positions = {kBenchGlobals.begin(), kBenchGlobals.end()};
  }
  return model;
}

class AttentionBench {
 public:
  AttentionBench(const AttentionCell& cell, torch::Device device)
      : cell_(cell), device_(device), attention_(model::make_attention(shape_of(cell))) {
    attention_->to(device);
    attention_->eval();
  }

  AttentionCost run() {
    use(kWarmUpLength);
    forward();
    train();
    use(cell_.length);

    AttentionCost cost;
    measure_memory(cost);
    keep_freed_memory();
    cost.forward_ms = time([this] { forward(); });
    cost.training_ms = time([this] { train(); });
    cost.peak_memory_mb = peak_memory_mb();
    return cost;
  }

 private:
  /// Makes input and the gradient of the output of this length.
  void use(int64_t length) {
    const auto d_model = cell_.model.d_model;
    const auto options = torch::TensorOptions().device(device_);
    input_ = torch::randn({cell_.batch, length, d_model}, options).requires_grad_();
    gradient_ = torch::randn({cell_.batch, length, d_model}, options);
  }

  torch::Tensor attend() const { return attention_->forward({.query = input_}); }

  void forward() const {
    const torch::NoGradGuard no_grad;
    wait_for(attend());
  }

  void train() {
    attend().backward(gradient_);
    wait_for(input_.grad());
    input_.mutable_grad() = torch::Tensor();
    attention_->zero_grad(/*set_to_none=*/true);
  }

  /// A device that works apart is done when a number of the result is here.
  void wait_for(const torch::Tensor& result) const {
    if (!device_.is_cpu()) result.flatten()[0].item<float>();
  }

  void measure_memory(AttentionCost& cost) {
    const double output_mb = static_cast<double>(input_.nbytes()) / (1 << 20);
    reset_peak_memory(device_);
    const double before = held_memory_mb(device_) + output_mb;
    const auto beyond = [&] {
      const double mb = peak_since_reset_mb(device_) - before;
      return mb < 0.0 ? 0.0 : mb;  // NaN stays
    };
    forward();
    cost.forward_memory_mb = beyond();
    train();
    cost.training_memory_mb = beyond();
  }

  template <typename Work>
  static double time(const Work& work) {
    work();  // warm-up at this length
    std::vector<double> ms;
    double all = 0.0;
    while (std::ssize(ms) < kMost && all < kTooLongMs &&
           (std::ssize(ms) < kFewest || all < kEnoughMs)) {
      const auto begin = Clock::now();
      work();
      ms.push_back(std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
      all += ms.back();
    }
    return median(ms);
  }

  AttentionCell cell_;
  torch::Device device_;
  std::shared_ptr<nn::Attention> attention_;
  torch::Tensor input_;     // [B, T, D]
  torch::Tensor gradient_;  // [B, T, D]
};

}  // namespace

std::vector<std::string> attention_bench_types() {
  std::vector<std::string> types{"explicit", "fused"};
  for (auto& type : model::attention_types()) {
    if (type != "multi_head") types.push_back(std::move(type));
  }
  return types;
}

void check_attention_bench_type(const std::string& type) {
  const auto types = attention_bench_types();
  if (std::ranges::find(types, type) != types.end()) return;
  throw ConfigError(fmt::format("--types: '{}' is none of {}", type, fmt::join(types, ", ")));
}

AttentionCost bench_attention(const AttentionCell& cell, torch::Device device) {
  check_attention_bench_type(cell.type);
  model::check_attention(shape_of(cell));
  return AttentionBench(cell, device).run();
}

}  // namespace heed::bench
