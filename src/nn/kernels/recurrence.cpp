#include "nn/kernels/recurrence.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>

#include <c10/core/impl/LocalDispatchKeySet.h>

#include "nn/kernels/gate_rows.h"

namespace heed::nn {
namespace {

/// The steps of a run in the order in which they are computed, and the row of N where each begins.
struct Steps {
  Steps(const std::vector<int64_t>& batch_sizes, bool reverse) : sizes(batch_sizes) {
    for (const auto size : sizes) {
      firsts.push_back(total);
      total += size;
    }
    order.resize(sizes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (reverse) std::ranges::reverse(order);
  }

  const std::vector<int64_t>& sizes;
  std::vector<int64_t> firsts{};
  std::vector<std::size_t> order{};
  int64_t total = 0;
};

/// What the gradient needs of the steps.
struct Kept {
  torch::Tensor gates;          // [N, G H]
  torch::Tensor hidden_before;  // [N, H]
  torch::Tensor cell_before;    // [N, H], LSTM
  torch::Tensor inner;          // [N, H]
};

float* row_of(const torch::Tensor& x, int64_t row) {
  return x.defined() ? x.mutable_data_ptr<float>() + row * x.size(1) : nullptr;
}

torch::Tensor copy_of(const torch::Tensor& x) { return x.defined() ? x.contiguous().clone() : x; }

torch::Tensor masked(const torch::Tensor& hidden, const torch::Tensor& mask) {
  return mask.defined() ? hidden * mask.narrow(0, 0, hidden.size(0)) : hidden;
}

Recurred run_fused(const Recurrence& run, Kept* kept) {
  const c10::impl::ExcludeDispatchKeyGuard no_autocast(c10::autocast_dispatch_keyset);
  const Steps steps(run.batch_sizes, run.reverse);
  const auto input = run.input.contiguous();
  const auto bias = run.bias.contiguous();
  const int64_t width = run.hidden.size(1);
  const auto options = input.options();
  if (kept) {
    kept->gates = torch::empty_like(input);
    kept->hidden_before = torch::empty({steps.total, width}, options);
    kept->inner = torch::empty_like(kept->hidden_before);
    if (run.cell.defined()) kept->cell_before = torch::empty_like(kept->hidden_before);
  }
  Recurred out{.states = torch::empty({steps.total, width}, options),
               .hidden = copy_of(run.hidden),
               .cell = copy_of(run.cell)};
  const auto room = torch::empty({run.hidden.size(0), input.size(1)}, options);
  const auto factor = run.weight.t();
  for (const auto t : steps.order) {
    const int64_t rows = steps.sizes[t];
    const int64_t first = steps.firsts[t];
    auto product = room.narrow(0, 0, rows);
    torch::mm_out(product, masked(out.hidden.narrow(0, 0, rows), run.state_mask), factor);
    forward_gates(run.type,
                  {
                      .rows = rows,
                      .width = width,
                      .input = row_of(input, first),
                      .recurrent = row_of(room, 0),
                      .bias = bias.const_data_ptr<float>(),
                      .hidden = row_of(out.hidden, 0),
                      .cell = row_of(out.cell, 0),
                      .states = row_of(out.states, first),
                      .gates = kept ? row_of(kept->gates, first) : nullptr,
                      .hidden_before = kept ? row_of(kept->hidden_before, first) : nullptr,
                      .cell_before = kept ? row_of(kept->cell_before, first) : nullptr,
                      .inner = kept ? row_of(kept->inner, first) : nullptr,
                  });
  }
  return out;
}

std::optional<torch::Tensor> optional_of(const torch::Tensor& x) {
  return x.defined() ? std::optional(x) : std::nullopt;
}

/// The rows of a mask [B, H] at every token: [N, H].
torch::Tensor mask_of_tokens(const torch::Tensor& mask, const std::vector<int64_t>& batch_sizes) {
  std::vector<torch::Tensor> parts;
  for (const auto rows : batch_sizes) parts.push_back(mask.narrow(0, 0, rows));
  return torch::cat(parts);
}

class FusedRecurrence : public torch::autograd::Function<FusedRecurrence> {
 public:
  /// -> states, hidden and, of an LSTM, cell
  static torch::autograd::variable_list forward(
      torch::autograd::AutogradContext* context, const torch::Tensor& input,
      const torch::Tensor& hidden, const std::optional<torch::Tensor>& cell,
      const torch::Tensor& weight, const torch::Tensor& bias,
      const std::optional<torch::Tensor>& state_mask, const std::vector<int64_t>& batch_sizes,
      bool reverse) {
    const auto type = cell ? CellType::kLstm : CellType::kGru;
    Kept kept;
    const auto out = run_fused({.type = type,
                                .input = input,
                                .hidden = hidden,
                                .cell = cell.value_or(torch::Tensor()),
                                .weight = weight,
                                .bias = bias,
                                .batch_sizes = batch_sizes,
                                .reverse = reverse,
                                .state_mask = state_mask.value_or(torch::Tensor())},
                               &kept);
    context->save_for_backward({weight, kept.gates, kept.hidden_before, kept.cell_before,
                                kept.inner, state_mask.value_or(torch::Tensor())});
    context->saved_data["batch_sizes"] = batch_sizes;
    context->saved_data["reverse"] = reverse;
    if (!cell) return {out.states, out.hidden};
    return {out.states, out.hidden, out.cell};
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::variable_list gradients) {
    const c10::impl::ExcludeDispatchKeyGuard no_autocast(c10::autocast_dispatch_keyset);
    const auto saved = context->get_saved_variables();
    const auto& weight = saved[0];
    const Kept kept{saved[1], saved[2], saved[3], saved[4]};
    const auto& mask = saved[5];
    const auto batch_sizes = context->saved_data["batch_sizes"].toIntVector();
    const Steps steps(batch_sizes, !context->saved_data["reverse"].toBool());
    const bool lstm = kept.cell_before.defined();

    const auto of_states = gradients[0].contiguous();
    auto of_hidden = copy_of(gradients[1]);
    const auto of_cell = lstm ? copy_of(gradients[2]) : torch::Tensor();
    const auto of_input = torch::empty_like(kept.gates);
    const auto of_product = lstm ? of_input : torch::empty_like(kept.gates);
    for (const auto t : steps.order) {
      const int64_t rows = steps.sizes[t];
      const int64_t first = steps.firsts[t];
      backward_gates(lstm ? CellType::kLstm : CellType::kGru,
                     {
                         .rows = rows,
                         .width = of_hidden.size(1),
                         .states = row_of(of_states, first),
                         .gates = row_of(kept.gates, first),
                         .hidden_before = row_of(kept.hidden_before, first),
                         .cell_before = row_of(kept.cell_before, first),
                         .inner = row_of(kept.inner, first),
                         .hidden = row_of(of_hidden, 0),
                         .cell = row_of(of_cell, 0),
                         .input = row_of(of_input, first),
                         .recurrent = row_of(of_product, first),
                     });
      auto before = of_hidden.narrow(0, 0, rows);
      const auto through = of_product.narrow(0, first, rows);
      if (lstm) before.zero_();
      if (mask.defined()) {
        before.add_(torch::mm(through, weight) * mask.narrow(0, 0, rows));
      } else {
        before.addmm_(through, weight);
      }
    }
    auto read = kept.hidden_before;  // [N, H], what the weight was multiplied with
    if (mask.defined() && steps.total > 0) read = read * mask_of_tokens(mask, batch_sizes);
    return {of_input,          of_hidden, of_cell, torch::mm(of_product.t(), read),
            of_product.sum(0), {},        {},      {}};
  }
};

/// One step of the plain formula. product: weight * hidden [n, G H] -> hidden, cell
std::pair<torch::Tensor, torch::Tensor> plain_step(const Recurrence& run,
                                                   const torch::Tensor& input,
                                                   const torch::Tensor& product,
                                                   const torch::Tensor& hidden,
                                                   const torch::Tensor& cell) {
  if (run.type == CellType::kGru) {
    const auto x = input.chunk(3, -1);
    const auto u = product.chunk(3, -1);
    const auto r = torch::sigmoid(x[0] + u[0]);
    const auto z = torch::sigmoid(x[1] + u[1]);
    const auto n = torch::tanh(x[2] + r * u[2]);
    return {(1.0 - z) * n + z * hidden, {}};
  }
  const auto gates = (input + product).chunk(4, -1);
  const auto kept = torch::sigmoid(gates[1]) * cell;
  const auto next = kept + torch::sigmoid(gates[0]) * torch::tanh(gates[2]);
  auto inner = next;
  if (run.cell_norm_weight.defined()) {
    inner = torch::layer_norm(next, {next.size(1)}, run.cell_norm_weight, run.cell_norm_bias);
  }
  return {torch::sigmoid(gates[3]) * torch::tanh(inner), next};
}

torch::Tensor product_with_weight(const Recurrence& run, const torch::Tensor& hidden) {
  const auto product = torch::matmul(masked(hidden, run.state_mask), run.weight.t());
  if (!run.norm_weight.defined()) return product + run.bias;
  return torch::layer_norm(product, {product.size(1)}, run.norm_weight, run.bias);
}

/// x in front, then the rows of `all` that it doesn't replace.
torch::Tensor replace_first(const torch::Tensor& all, const torch::Tensor& x) {
  const int64_t rest = all.size(0) - x.size(0);
  return rest == 0 ? x : torch::cat({x, all.narrow(0, x.size(0), rest)});
}

void check_run(const Recurrence& run) {
  const int64_t width = run.hidden.size(1);
  const int64_t gates = gate_count(run.type) * width;
  TORCH_CHECK(run.input.dim() == 2 && run.input.size(1) == gates, "input ", run.input.sizes(),
              " is not [N, ", gates, "], the gates of a state ", run.hidden.sizes());
  TORCH_CHECK(run.weight.sizes() == torch::IntArrayRef({gates, width}), "weight ",
              run.weight.sizes(), " != [", gates, ", ", width, "]");
  TORCH_CHECK(run.cell.defined() == (run.type == CellType::kLstm),
              "an LSTM has a cell, a GRU none");
  const auto& sizes = run.batch_sizes;
  TORCH_CHECK(std::ranges::is_sorted(sizes, std::greater<>()), "the longest rows must come first");
  TORCH_CHECK(sizes.empty() || sizes.front() <= run.hidden.size(0), sizes.front(), " rows for ",
              run.hidden.size(0), " states");
  const auto total = std::accumulate(sizes.begin(), sizes.end(), int64_t{0});
  TORCH_CHECK(total == run.input.size(0), run.input.size(0), " tokens for steps of ", total);
}

}  // namespace

RecurrencePath recurrence_path(torch::Device device, torch::ScalarType dtype, bool layer_norm,
                               bool state_mask) {
  if (layer_norm) return RecurrencePath::kExplicit;
  if (device.is_cpu() && dtype == torch::kFloat) return RecurrencePath::kFused;
  if (device.is_cuda() && !state_mask) return RecurrencePath::kLibrary;
  return RecurrencePath::kExplicit;
}

bool has_fused_recurrence(const Recurrence& run) {
  const bool layer_norm = run.norm_weight.defined() || run.cell_norm_weight.defined();
  return recurrence_path(run.input.device(), run.input.scalar_type(), layer_norm,
                         run.state_mask.defined()) == RecurrencePath::kFused;
}

Recurred recurrence(const Recurrence& run) {
  if (!has_fused_recurrence(run)) return recurrence_explicit(run);
  check_run(run);
  const bool tracked =
      torch::GradMode::is_enabled() && (run.input.requires_grad() || run.hidden.requires_grad() ||
                                        run.weight.requires_grad() || run.bias.requires_grad());
  if (!tracked) return run_fused(run, nullptr);
  const auto out =
      FusedRecurrence::apply(run.input, run.hidden, optional_of(run.cell), run.weight, run.bias,
                             optional_of(run.state_mask), run.batch_sizes, run.reverse);
  return {.states = out[0], .hidden = out[1], .cell = out.size() > 2 ? out[2] : torch::Tensor()};
}

Recurred recurrence_explicit(const Recurrence& run) {
  check_run(run);
  const c10::impl::ExcludeDispatchKeyGuard no_autocast(c10::autocast_dispatch_keyset);
  const Steps steps(run.batch_sizes, run.reverse);
  Recurred out{.states = {}, .hidden = run.hidden, .cell = run.cell};
  std::vector<torch::Tensor> states(steps.sizes.size());
  for (const auto t : steps.order) {
    const int64_t rows = steps.sizes[t];
    const auto hidden = out.hidden.narrow(0, 0, rows);
    const auto cell = out.cell.defined() ? out.cell.narrow(0, 0, rows) : out.cell;
    const auto input = run.input.narrow(0, steps.firsts[t], rows);
    const auto next = plain_step(run, input, product_with_weight(run, hidden), hidden, cell);
    states[t] = next.first;
    out.hidden = replace_first(out.hidden, next.first);
    if (out.cell.defined()) out.cell = replace_first(out.cell, next.second);
  }
  out.states = states.empty() ? run.input.new_empty({0, run.hidden.size(1)}) : torch::cat(states);
  return out;
}

}  // namespace heed::nn
