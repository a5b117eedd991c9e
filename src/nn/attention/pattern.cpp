#include "nn/attention/pattern.h"

#include <algorithm>

#include "nn/attention/random_keys.h"
#include "nn/mask.h"

namespace heed::nn {
namespace {

torch::TensorOptions indices_on(torch::Device device) {
  return torch::TensorOptions().dtype(torch::kLong).device(device);
}

/// The random keys of all queries as a mask: [1 or B, H, Tq, Tk]
torch::Tensor random_mask(const Pattern& pattern, const CoreInput& input, int64_t key_len) {
  const int64_t heads = input.query.size(1);
  const int64_t end = input.past + input.query.size(2);
  const auto device = input.query.device();
  const RandomKeys random(pattern, input.visible, heads, key_len, device);
  std::vector<torch::Tensor> rows;
  for (int64_t first = input.past; first < end;) {
    const int64_t block = first / pattern.block;
    const int64_t last = std::min(end, (block + 1) * pattern.block);
    const auto keys = random.of_block(block);
    auto size = keys.sizes().vec();
    size.back() = key_len + 1;  // the last one takes what is none
    const auto chosen = torch::where(keys < 0, key_len, keys);
    const auto met = torch::zeros(size, keys.options().dtype(torch::kBool))
                         .scatter_(-1, chosen, true)
                         .narrow(-1, 0, key_len);
    rows.push_back(met.unsqueeze(2).expand({-1, -1, last - first, -1}));
    first = last;
  }
  return torch::cat(rows, 2);
}

/// The rule for the queries at past.. and the keys at 0..key_len-1
torch::Tensor pattern_rule(const Pattern& pattern, const CoreInput& input, int64_t key_len) {
  const auto device = input.query.device();
  const auto query =
      torch::arange(input.past, input.past + input.query.size(2), indices_on(device));
  const auto key = torch::arange(key_len, indices_on(device));
  const auto near = (key - query.unsqueeze(1)).abs() <= pattern.window;  // [Tq, Tk]
  auto mask = near.unsqueeze(0).unsqueeze(0);                            // [1, 1, Tq, Tk]

  const auto global = global_keys(pattern, input.visible, key_len, device);  // [1 or B, Tk]
  if (global.defined()) {
    mask = mask | global.unsqueeze(1).unsqueeze(2);
    mask = mask | global.index_select(1, query).unsqueeze(1).unsqueeze(3);
  }
  return pattern.random > 0 ? mask | random_mask(pattern, input, key_len) : mask;
}

}  // namespace

torch::Tensor global_keys(const Pattern& pattern, const Visible& visible, int64_t key_len,
                          torch::Device device) {
  auto global = visible.global;
  if (global.defined() && global.size(1) != key_len) {
    TORCH_CHECK(global.size(1) > key_len, global.size(1), " global marks for ", key_len, " keys");
    global = global.narrow(1, 0, key_len);
  }
  std::vector<int64_t> inside;
  for (const auto position : pattern.global_positions) {
    if (position < key_len) inside.push_back(position);
  }
  if (inside.empty()) return global;
  auto fixed = torch::zeros({1, key_len}, torch::kBool);
  fixed.index_fill_(1, torch::tensor(inside, torch::kLong), true);
  fixed = fixed.to(device);
  return global.defined() ? global | fixed : fixed;
}

bool hides_nothing(const Pattern& pattern, const CoreInput& input) {
  if (pattern.window == Pattern::kAll) return true;
  if (!input.kept) return input.key.size(2) <= pattern.window + 1;
  return input.kept->sinks == 0 && input.kept->ring <= pattern.window + 1;
}

torch::Tensor pattern_mask(const Pattern& pattern, const CoreInput& input) {
  const auto allowed = visible_mask(input.visible, input.past, input.query, input.key);
  if (hides_nothing(pattern, input)) return allowed;
  auto seen = input;
  torch::Tensor mask;
  if (input.kept) {
    seen.visible.causal = true;  // random keys of a decoder are drawn from its past
    mask = pattern_rule(pattern, seen, input.kept->count)
               .index_select(-1, input.kept->tensor(input.query.device()));
  } else {
    mask = pattern_rule(pattern, seen, input.key.size(2));
  }
  return allowed.defined() ? mask & allowed : mask;
}

}  // namespace heed::nn
