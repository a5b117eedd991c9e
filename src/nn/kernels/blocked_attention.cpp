#include "nn/kernels/blocked_attention.h"

#include <limits>
#include <utility>

#include <c10/core/impl/LocalDispatchKeySet.h>

#include <ATen/ops/_softmax_backward_data.h>

#include "nn/precision.h"

namespace heed::nn {
namespace {

constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();
using PlanPointer = c10::intrusive_ptr<BlockPlan>;

/// What forward and backward share. Batch and heads are one here: N = B H.
struct BlockWork {
  torch::Tensor query;  // [N, Tq, Dk], scaled
  torch::Tensor key;    // [N, Tk, Dk]
  torch::Tensor value;  // [N, Tk, Dv]
  std::vector<torch::Tensor> bands;
  PlanPointer plan;
  int64_t heads = 1;

  torch::Tensor apart(const torch::Tensor& x) const { return x.unflatten(0, {-1, heads}); }

  /// Where the extra keys of a block lie: [N, E, 1]
  torch::Tensor extra(const KeyBlock& block) const {
    const int64_t batch = query.size(0) / heads;
    return block.extra.expand({batch, heads, -1}).flatten(0, 1).unsqueeze(-1);
  }

  /// Rows of key or value that a block meets: [N, K + E, D]
  torch::Tensor met(const torch::Tensor& x, const KeyBlock& block) const {
    const auto range = x.narrow(1, block.key_first, block.key_len);
    if (!block.extra.defined()) return range;
    return torch::cat({range, x.gather(1, extra(block).expand({-1, -1, x.size(2)}))}, 1);
  }

  /// The weights of a block, before dropout: [N, query_len, K + E]
  torch::Tensor weights(const KeyBlock& block, const torch::Tensor& keys) const {
    const auto some = query.narrow(1, block.query_first, block.query_len);
    auto scores = product(block, some, keys.transpose(1, 2));
    if (block.allowed.defined()) {
      apart(scores.narrow(2, 0, block.key_len)).masked_fill_(~block.allowed, kMinusInfinity);
    }
    if (block.extra.defined()) {
      const auto elsewhere = scores.narrow(2, block.key_len, scores.size(2) - block.key_len);
      apart(elsewhere).masked_fill_(~block.extra_allowed, kMinusInfinity);
    }
    auto weights = torch::softmax(scores, -1);
    if (plan->blind) {
      weights.masked_fill_(scores.amax(-1, /*keepdim=*/true) == kMinusInfinity, 0.0);
    }
    return weights;
  }

  /// query . key, and the band of the block
  torch::Tensor product(const KeyBlock& block, const torch::Tensor& some,
                        const torch::Tensor& keys) const {
    if (block.band < 0) return torch::bmm(some, keys);
    const auto& band = bands[block.band];  // [1 or H, query_len, any]
    if (band.size(0) == 1 && band.size(2) == keys.size(2)) return torch::baddbmm(band, some, keys);
    auto scores = torch::bmm(some, keys);
    const int64_t at = block.band_first - block.key_first;
    apart(scores.narrow(2, at, band.size(2))).add_(band);
    return scores;
  }

  /// The noise is that of the pairs of query and key, as on the full matrix.
  torch::Tensor dropped(const torch::Tensor& weights, const KeyBlock& block) const {
    if (!plan->drop) return weights;
    const auto all = apart(weights);  // [B, H, query_len, K + E]
    const auto range = plan->drop(all.narrow(3, 0, block.key_len),
                                  {.row = block.query_first, .element = block.key_first});
    if (!block.extra.defined()) return range.flatten(0, 1);
    const auto rest = plan->drop(all.narrow(3, block.key_len, all.size(3) - block.key_len),
                                 {.row = block.query_first, .elements = block.extra.unsqueeze(2)});
    return torch::cat({range, rest}, 3).flatten(0, 1);
  }
};

struct BlockGradients {
  torch::Tensor query, key, value;
  std::vector<torch::Tensor> bands;
};

/// Adds what a block's rows of key or value get: [N, K + E, D]
void scatter_rows(const BlockWork& work, const KeyBlock& block, const torch::Tensor& gradient,
                  torch::Tensor& all) {
  all.narrow(1, block.key_first, block.key_len).add_(gradient.narrow(1, 0, block.key_len));
  if (!block.extra.defined()) return;
  const auto rest = gradient.narrow(1, block.key_len, gradient.size(1) - block.key_len);
  all.scatter_add_(1, work.extra(block).expand_as(rest), rest);
}

void add_block(const BlockWork& work, const KeyBlock& block, const torch::Tensor& out,
               BlockGradients& sum) {
  const auto some = work.query.narrow(1, block.query_first, block.query_len);
  const auto keys = work.met(work.key, block);
  const auto values = work.met(work.value, block);
  const auto weights = work.weights(block, keys);
  const auto from = out.narrow(1, block.query_first, block.query_len);  // [N, query_len, Dv]

  scatter_rows(work, block, torch::bmm(work.dropped(weights, block).transpose(1, 2), from),
               sum.value);
  const auto of_weights = work.dropped(torch::bmm(from, values.transpose(1, 2)), block);
  const auto of_scores = at::_softmax_backward_data(of_weights, weights, -1, weights.scalar_type());
  sum.query.narrow(1, block.query_first, block.query_len).copy_(torch::bmm(of_scores, keys));
  scatter_rows(work, block, torch::bmm(of_scores.transpose(1, 2), some), sum.key);

  if (block.band < 0 || !sum.bands[block.band].defined()) return;
  auto& band = sum.bands[block.band];
  const auto part = of_scores.narrow(2, block.band_first - block.key_first, band.size(2));
  band.add_(work.apart(part).sum(0).sum_to_size(band.sizes()));
}

class BlockedAttention final : public torch::autograd::Function<BlockedAttention> {
 public:
  static torch::Tensor forward(torch::autograd::AutogradContext* context,
                               const torch::Tensor& query, const torch::Tensor& key,
                               const torch::Tensor& value, at::TensorList bands,
                               const PlanPointer& plan, int64_t heads) {
    const BlockWork work{query, key, value, bands.vec(), plan, heads};
    auto result = torch::empty({query.size(0), query.size(1), value.size(2)}, value.options());
    for (const auto& block : plan->blocks) {
      const auto weights = work.dropped(work.weights(block, work.met(key, block)), block);
      result.narrow(1, block.query_first, block.query_len)
          .copy_(torch::bmm(weights, work.met(value, block)));
    }
    torch::autograd::variable_list saved{query, key, value};
    saved.insert(saved.end(), bands.begin(), bands.end());
    context->save_for_backward(saved);
    context->saved_data["plan"] = c10::IValue::make_capsule(plan);
    context->saved_data["heads"] = heads;
    return result;
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::variable_list gradients) {
    const torch::NoGradGuard no_grad;
    const c10::impl::ExcludeDispatchKeyGuard no_autocast(c10::autocast_dispatch_keyset);
    const auto saved = context->get_saved_variables();
    const auto plan =
        c10::static_intrusive_pointer_cast<BlockPlan>(context->saved_data["plan"].toCapsule());
    const BlockWork work{saved[0], saved[1],
                         saved[2], {saved.begin() + 3, saved.end()},
                         plan,     context->saved_data["heads"].toInt()};
    BlockGradients sum{torch::empty_like(work.query),
                       torch::zeros_like(work.key),
                       torch::zeros_like(work.value),
                       {}};
    for (std::size_t i = 0; i < work.bands.size(); ++i) {
      const bool wanted = context->needs_input_grad(3 + i);
      sum.bands.push_back(wanted ? torch::zeros_like(work.bands[i]) : torch::Tensor());
    }
    const auto out = gradients[0].contiguous();
    for (const auto& block : plan->blocks) add_block(work, block, out, sum);

    torch::autograd::variable_list all{sum.query, sum.key, sum.value};
    all.insert(all.end(), sum.bands.begin(), sum.bands.end());
    all.resize(all.size() + 2);  // the plan and the heads have none
    return all;
  }
};

}  // namespace

torch::Tensor blocked_attention(const torch::Tensor& query, const torch::Tensor& key,
                                const torch::Tensor& value, const std::vector<torch::Tensor>& bands,
                                const c10::intrusive_ptr<BlockPlan>& plan, double scale) {
  const c10::impl::ExcludeDispatchKeyGuard no_autocast(c10::autocast_dispatch_keyset);
  const int64_t batch = query.size(0);
  const auto rows = [](const torch::Tensor& x) { return widen(x).flatten(0, 1).contiguous(); };
  const at::TensorList all(bands);
  const auto context =
      BlockedAttention::apply(rows(query) * scale, rows(key), rows(value), all, plan,
                              query.size(1));  // [B H, Tq, Dv]
  return context.unflatten(0, {batch, -1}).to(value.scalar_type());
}

}  // namespace heed::nn
