#include "decode/top_k.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace heed::decode {
namespace {

constexpr float kLowest = -std::numeric_limits<float>::infinity();
constexpr int64_t kBlock = 32;       // entries compared at once
constexpr int64_t kGrain = 1 << 16;  // entries a thread should get at least
constexpr int64_t kNone = -1;

/// The best entries of one row, kept sorted.
struct Best {
  float* values;  // [k]
  int64_t* ids;   // [k]
  int64_t k;

  void clear() {
    std::fill_n(values, k, kLowest);
    std::fill_n(ids, k, kNone);
  }

  float threshold() const { return values[k - 1]; }

  /// An equal entry that came earlier stays in front. value > threshold().
  void insert(float value, int64_t id) {
    int64_t place = k - 1;
    for (; place > 0 && values[place - 1] < value; --place) {
      values[place] = values[place - 1];
      ids[place] = ids[place - 1];
    }
    values[place] = value;
    ids[place] = id;
  }
};

bool any_above(const float* block, float threshold) {
  int above = 0;
  for (int64_t i = 0; i < kBlock; ++i) above |= block[i] > threshold;
  return above != 0;
}

/// One pass; after the first entries nearly every block is passed over by a vector comparison.
void scan(const float* row, int64_t width, Best best) {
  best.clear();
  int64_t start = 0;
  for (; start + kBlock <= width; start += kBlock) {
    if (!any_above(row + start, best.threshold())) continue;
    for (int64_t i = start; i < start + kBlock; ++i) {
      if (row[i] > best.threshold()) best.insert(row[i], i);
    }
  }
  for (; start < width; ++start) {
    if (row[start] > best.threshold()) best.insert(row[start], start);
  }
}

TopK top_k_cpu(const torch::Tensor& scores, int64_t k) {
  const auto rows = scores.size(0);
  const auto width = scores.size(1);
  const auto* data = scores.const_data_ptr<float>();
  TopK top{k, std::vector<float>(rows * k), std::vector<int64_t>(rows * k)};
  at::parallel_for(0, rows, std::max<int64_t>(1, kGrain / width), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      scan(data + row * width, width, {&top.values[row * k], &top.ids[row * k], k});
    }
  });
  return top;
}

/// Values and the bits of the ids in one tensor, so that one copy and one wait bring both.
TopK top_k_device(const torch::Tensor& scores, int64_t k) {
  const auto rows = scores.size(0);
  const auto [values, ids] = scores.topk(k);
  const auto both =
      torch::cat({values, ids.to(torch::kInt).view(torch::kFloat)}, 1).cpu().contiguous();
  const auto* data = both.const_data_ptr<float>();

  TopK top{k, std::vector<float>(rows * k), std::vector<int64_t>(rows * k)};
  for (int64_t row = 0; row < rows; ++row, data += 2 * k) {
    Best best{&top.values[row * k], &top.ids[row * k], k};
    best.clear();
    std::vector<std::pair<int32_t, float>> entries;
    for (int64_t i = 0; i < k; ++i) {
      int32_t id = 0;
      std::memcpy(&id, data + k + i, sizeof(id));
      entries.emplace_back(id, data[i]);
    }
    std::ranges::sort(entries);  // by id, which decides between equal ones
    for (const auto& [id, value] : entries) {
      if (value > best.threshold()) best.insert(value, id);
    }
  }
  return top;
}

}  // namespace

TopK top_k(const torch::Tensor& scores, int64_t k) {
  TORCH_CHECK(scores.dim() == 2 && scores.scalar_type() == torch::kFloat,
              "scores must be fp32 [rows, V], got ", scores.sizes(), " ", scores.scalar_type());
  TORCH_CHECK(0 < k && k <= scores.size(1), "the best ", k, " of ", scores.size(1));
  return scores.is_cpu() ? top_k_cpu(scores.contiguous(), k) : top_k_device(scores, k);
}

}  // namespace heed::decode
