#include "data/batch.h"

#include <algorithm>
#include <stdexcept>

#include "text/tokenizer.h"

namespace heed::data {
namespace {

torch::Tensor filled(const std::vector<std::vector<int64_t>>& rows) {
  std::size_t longest = 0;
  for (const auto& row : rows) longest = std::max(longest, row.size());
  const auto size = static_cast<int64_t>(rows.size());
  auto ids = torch::empty({size, static_cast<int64_t>(longest)}, torch::kInt64);
  auto* place = ids.data_ptr<int64_t>();  // filled by hand: full() would start threads of its own
  for (const auto& row : rows) {
    std::fill(std::ranges::copy(row, place).out, place + longest, text::kPad);
    place += longest;
  }
  return ids;  // [B, T]
}

torch::Tensor lengths_of(const std::vector<std::vector<int64_t>>& rows) {
  std::vector<int64_t> lengths;
  for (const auto& row : rows) lengths.push_back(std::ssize(row));
  return torch::tensor(lengths, torch::kInt64);  // [B]
}

/// What `member` gives for each example, as int64 [B].
template <typename Member>
torch::Tensor column(const std::vector<const Example*>& examples, Member member) {
  std::vector<int64_t> values;
  for (const auto* example : examples) values.push_back(example->*member);
  return torch::tensor(values, torch::kInt64);
}

void fill_target(const std::vector<const Example*>& examples, Batch& batch) {
  std::vector<std::vector<int64_t>> in, out;
  for (const auto* example : examples) {
    in.push_back({text::kBegin});
    in.back().insert(in.back().end(), example->target.begin(), example->target.end());
    out.push_back(example->target);
    out.back().push_back(text::kEnd);
  }
  batch.target_in = filled(in);            // [B, Tt]
  batch.target_out = filled(out);          // [B, Tt]
  batch.target_lengths = lengths_of(out);  // [B]
  batch.target_tokens = batch.target_lengths.sum().item<int64_t>();
}

}  // namespace

Batch collate(const std::vector<const Example*>& examples) {
  if (examples.empty()) throw std::logic_error("a batch needs an example");
  std::vector<std::vector<int64_t>> source;
  for (const auto* example : examples) {
    source.push_back(example->source);
    source.back().push_back(text::kEnd);
  }
  Batch batch;
  batch.source = filled(source);              // [B, Ts]
  batch.source_lengths = lengths_of(source);  // [B]
  batch.source_tokens = batch.source_lengths.sum().item<int64_t>();
  batch.examples = column(examples, &Example::index);
  if (examples.front()->label >= 0) {
    batch.labels = column(examples, &Example::label);
  } else {
    fill_target(examples, batch);
  }
  return batch;
}

Batch Batch::to(torch::Device device) const {
  const auto move = [&](const torch::Tensor& tensor) {
    return tensor.defined() ? tensor.to(device) : tensor;
  };
  Batch moved = *this;
  moved.source = move(source);
  moved.target_in = move(target_in);
  moved.target_out = move(target_out);
  moved.labels = move(labels);
  moved.examples = move(examples);
  return moved;
}

}  // namespace heed::data
