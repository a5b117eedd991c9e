#include "nn/recurrent/packing.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "base/random.h"

namespace heed::nn {
namespace {

torch::Tensor on_device(const std::vector<int64_t>& numbers, torch::Device device) {
  return torch::tensor(numbers, torch::kLong).to(device);
}

}  // namespace

Packing::Packing(const torch::Tensor& lengths, int64_t len, torch::Device device)
    : batch_(lengths.size(0)), len_(len), order_(static_cast<std::size_t>(batch_)) {
  const auto each = lengths.contiguous();
  const auto* length = each.const_data_ptr<int64_t>();
  std::iota(order_.begin(), order_.end(), 0);
  std::ranges::stable_sort(order_, std::greater<>(), [&](int64_t row) { return length[row]; });
  TORCH_CHECK(batch_ == 0 || length[order_.front()] <= len, "a text of ", length[order_.front()],
              " tokens in a batch of ", len);

  std::vector<int64_t> tokens;
  int64_t rows = batch_;
  for (int64_t t = 0; t < len; ++t) {
    while (rows > 0 && length[order_[static_cast<std::size_t>(rows - 1)]] <= t) --rows;
    if (rows == 0) break;
    batch_sizes_.push_back(rows);
    for (int64_t i = 0; i < rows; ++i) {
      tokens.push_back(order_[static_cast<std::size_t>(i)] * len + t);
    }
  }
  tokens_ = on_device(tokens, device);
  if (std::ranges::is_sorted(order_)) return;
  places_ = on_device(order_, device);
  originals_ = places_.argsort();
}

torch::Tensor Packing::pack(const torch::Tensor& x) const {
  return x.flatten(0, 1).index_select(0, tokens_);
}

torch::Tensor Packing::unpack(const torch::Tensor& x) const {
  auto size = x.sizes().vec();
  size[0] = batch_ * len_;
  return torch::zeros(size, x.options()).index_copy(0, tokens_, x).unflatten(0, {batch_, len_});
}

torch::Tensor Packing::sorted(const torch::Tensor& x) const {
  return places_.defined() ? x.index_select(0, places_) : x;
}

torch::Tensor Packing::original(const torch::Tensor& x) const {
  return originals_.defined() ? x.index_select(0, originals_) : x;
}

std::optional<Noise> Packing::of_tokens(const Noise* noise) const {
  if (!noise) return std::nullopt;
  const auto examples = noise->examples.contiguous();
  const auto* example = examples.const_data_ptr<int64_t>();
  auto tokens = torch::empty({tokens_.size(0)}, torch::kLong);
  auto* token = tokens.mutable_data_ptr<int64_t>();
  for (std::size_t t = 0; t < batch_sizes_.size(); ++t) {
    for (int64_t i = 0; i < batch_sizes_[t]; ++i) {
      const auto of_text = static_cast<uint64_t>(example[order_[static_cast<std::size_t>(i)]]);
      *token++ = static_cast<int64_t>(mix({of_text, t}));
    }
  }
  return Noise{.seed = noise->seed, .step = noise->step, .examples = tokens};
}

std::optional<Noise> Packing::of_sorted(const Noise* noise) const {
  if (!noise) return std::nullopt;
  const auto order = torch::tensor(order_, torch::kLong);
  return Noise{
      .seed = noise->seed, .step = noise->step, .examples = noise->examples.index_select(0, order)};
}

}  // namespace heed::nn
