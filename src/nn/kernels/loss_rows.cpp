#include "nn/kernels/loss_rows.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "nn/kernels/vectors.h"

namespace heed::nn {
namespace {

struct RowLoss {
  double loss, nll, correct;
};

struct Rows {
  float* logits;  // [N, V]
  const int64_t* targets;
  int64_t vocabulary;
  double smoothing;
  bool gradient;
  RowLoss* losses;  // [N]
};

struct LossKernel {
  struct Extent {
    float most;
    double mean;
  };

  static HEED_INLINE Extent extent(const float* row, int64_t size) {
    constexpr float kNone = -std::numeric_limits<float>::infinity();
    Floats most = spread(kNone);
    Floats total = spread(0.0f);
    int64_t first = 0;
    for (; first + kLanes <= size; first += kLanes) {
      const Floats x = load_floats(row + first);
      most = maximum(most, x);
      total += x;
    }
    most = maximum(most, load_part(row + first, size - first, kNone));
    total += load_part(row + first, size - first, 0.0f);
    return {largest(most), sum(total) / static_cast<double>(size)};
  }

  /// row <- e^(row - most); returns its sum.
  static HEED_INLINE double exponentials(float* row, int64_t size, float most) {
    Floats total = spread(0.0f);
    int64_t first = 0;
    for (; first + kLanes <= size; first += kLanes) {
      const Floats e = exp_negative(load_floats(row + first) - most);
      store_floats(row + first, e);
      total += e;
    }
    const int64_t rest = size - first;
    const Floats e = exp_negative(load_part(row + first, rest, most - 100.0f) - most);
    store_part(row + first, e, rest);
    for (int64_t i = 0; i < rest; ++i) total[i] += e[i];
    return sum(total);
  }

  static HEED_INLINE void scale(float* row, int64_t size, float factor, float less) {
    int64_t first = 0;
    for (; first + kLanes <= size; first += kLanes) {
      store_floats(row + first, load_floats(row + first) * factor - less);
    }
    for (; first < size; ++first) row[first] = row[first] * factor - less;
  }

  static HEED_INLINE void run(const Rows* rows, int64_t begin, int64_t end) {
    const int64_t size = rows->vocabulary;
    const double smoothing = rows->smoothing;
    for (int64_t n = begin; n < end; ++n) {
      float* row = rows->logits + n * size;
      const int64_t target = rows->targets[n];
      const float at_target = row[target];
      const auto [most, mean] = extent(row, size);
      const double total = exponentials(row, size, most);
      const double log_total = std::log(total) + static_cast<double>(most);
      const double nll = log_total - static_cast<double>(at_target);
      const double uniform = log_total - mean;
      rows->losses[n] = {.loss = (1.0 - smoothing) * nll + smoothing * uniform,
                         .nll = nll,
                         .correct = at_target >= most ? 1.0 : 0.0};
      if (!rows->gradient) continue;
      scale(row, size, static_cast<float>(1.0 / total),
            static_cast<float>(smoothing / static_cast<double>(size)));
      row[target] -= static_cast<float>(1.0 - smoothing);
    }
  }
};

torch::Tensor loss_rows_cpu(torch::Tensor& logits, const torch::Tensor& targets, double smoothing,
                            bool gradient) {
  std::vector<RowLoss> losses(static_cast<std::size_t>(logits.size(0)));
  const Rows rows{
      .logits = logits.mutable_data_ptr<float>(),
      .targets = targets.const_data_ptr<int64_t>(),
      .vocabulary = logits.size(1),
      .smoothing = smoothing,
      .gradient = gradient,
      .losses = losses.data(),
  };
  const int64_t grain = 16384 / logits.size(1) + 1;
  at::parallel_for(0, logits.size(0), grain,
                   [&](int64_t begin, int64_t end) { run_widest<LossKernel>(&rows, begin, end); });
  RowLoss sum{};
  for (const auto& row : losses) {
    sum.loss += row.loss;
    sum.nll += row.nll;
    sum.correct += row.correct;
  }
  return torch::tensor({sum.loss, sum.nll, sum.correct}, torch::kDouble);
}

/// The plain operators, for other devices and types.
torch::Tensor loss_rows_any(torch::Tensor& logits, const torch::Tensor& targets, double smoothing,
                            bool gradient) {
  const auto target = targets.unsqueeze(1);                                       // [N, 1]
  const auto at_target = logits.gather(1, target);                                // [N, 1]
  const auto correct = (at_target >= logits.amax(-1, true)).sum(torch::kDouble);  // []
  const auto log_total = logits.logsumexp(-1, /*keepdim=*/true);                  // [N, 1]
  const auto nll = (log_total - at_target).sum(torch::kDouble);                   // []
  const auto uniform = (log_total - logits.mean(-1, true)).sum(torch::kDouble);   // []
  if (gradient) {
    logits.sub_(log_total).exp_().sub_(smoothing / static_cast<double>(logits.size(1)));
    logits.scatter_add_(1, target, torch::full_like(at_target, smoothing - 1.0));
  }
  return torch::stack({(1.0 - smoothing) * nll + smoothing * uniform, nll, correct});
}

}  // namespace

torch::Tensor loss_rows_(torch::Tensor& logits, const torch::Tensor& targets, double smoothing,
                         bool gradient) {
  const bool has_kernel = logits.is_cpu() && logits.scalar_type() == torch::kFloat;
  return has_kernel ? loss_rows_cpu(logits, targets, smoothing, gradient)
                    : loss_rows_any(logits, targets, smoothing, gradient);
}

}  // namespace heed::nn
