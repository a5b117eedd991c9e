#include "nn/recurrent/read_texts.h"

#include <c10/core/impl/LocalDispatchKeySet.h>
#include <c10/util/Exception.h>

#include "nn/precision.h"

namespace heed::nn {
namespace {

/// cuDNN warns at every call that weights of their own tensors are put together first.
class Silent final : public c10::WarningHandler {
  void process(const c10::Warning& /*warning*/) override {}
};

}  // namespace

torch::Tensor read_texts(const std::vector<TextReader>& readers, const torch::Tensor& x,
                         const std::vector<int64_t>& batch_sizes) {
  const auto& first = readers.front();
  if (!batch_sizes.empty() &&
      first.cell->path(first.state_mask.defined()) == RecurrencePath::kLibrary) {
    return read_texts_by_library(readers, x, batch_sizes);
  }
  std::vector<torch::Tensor> states;
  for (const auto& [cell, state, mask] : readers) {
    const bool reverse = !states.empty();
    states.push_back(cell->forward(cell->project(x), state, batch_sizes, reverse, mask).states);
  }
  return states.size() == 1 ? states.front() : torch::cat(states, -1);
}

torch::Tensor read_texts_by_library(const std::vector<TextReader>& readers, const torch::Tensor& x,
                                    const std::vector<int64_t>& batch_sizes) {
  const c10::impl::ExcludeDispatchKeyGuard no_autocast(c10::autocast_dispatch_keyset);
  Silent silent;
  const c10::WarningUtils::WarningHandlerGuard quiet(&silent);
  std::vector<torch::Tensor> weights;
  std::vector<torch::Tensor> hidden;
  std::vector<torch::Tensor> cells;
  for (const auto& reader : readers) {
    const auto own = reader.cell->weights();
    weights.insert(weights.end(), own.begin(), own.end());
    const auto state = reader.state.narrow(batch_sizes.front());
    hidden.push_back(state.hidden);
    if (state.cell.defined()) cells.push_back(state.cell);
  }
  const auto data = widen(x);
  const auto sizes = torch::tensor(batch_sizes, torch::kLong);
  const auto begin = torch::stack(hidden);  // [readers, B, H]
  const bool both = readers.size() == 2;
  const bool train = torch::GradMode::is_enabled();  // cuDNN has no gradient otherwise
  if (cells.empty()) {
    return std::get<0>(at::gru(data, sizes, begin, weights, /*has_biases=*/true, /*num_layers=*/1,
                               /*dropout=*/0.0, train, both));
  }
  return std::get<0>(at::lstm(data, sizes, {begin, torch::stack(cells)}, weights,
                              /*has_biases=*/true, /*num_layers=*/1, /*dropout=*/0.0, train, both));
}

}  // namespace heed::nn
