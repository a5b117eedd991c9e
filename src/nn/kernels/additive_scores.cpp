#include "nn/kernels/additive_scores.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include <ATen/Parallel.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

#include "nn/kernels/squash.h"

namespace heed::nn {
namespace {

constexpr float kHiddenScore = -std::numeric_limits<float>::infinity();
constexpr int64_t kTanhsAtOnce = int64_t{1} << 22;  // numbers under tanh in the plain formula

/// A batch, and what is computed of it: its scores, or the gradients that go with `of_scores`.
struct Scored {
  int64_t queries = 0;
  int64_t keys = 0;
  int64_t width = 0;
  const float* query = nullptr;      // [B, Tq, A]
  const float* key = nullptr;        // [B, Tk, A]
  const float* weight = nullptr;     // [A]
  const int64_t* lengths = nullptr;  // [B], or null where all keys are real
  float* scores = nullptr;           // [B, Tq, Tk]
  const float* of_scores = nullptr;  // [B, Tq, Tk]
  float* of_query = nullptr;         // [B, Tq, A], zeros at first
  float* of_key = nullptr;           // [B, Tk, A]
  float* of_weight = nullptr;        // [B, A], zeros at first

  int64_t real_keys(int64_t b) const {
    return lengths ? std::clamp<int64_t>(lengths[b], 0, keys) : keys;
  }
};

struct ScoreKernel {
  static HEED_INLINE float score(const float* q, const float* k, const float* v, int64_t width) {
    Floats total = spread(0.0f);
    int64_t i = 0;
    for (; i + kLanes <= width; i += kLanes) {
      total += load_floats(v + i) * squash_tanh(load_floats(q + i) + load_floats(k + i));
    }
    if (i < width) {
      const int64_t rest = width - i;
      const Floats x = load_part(q + i, rest, 0.0f) + load_part(k + i, rest, 0.0f);
      total += load_part(v + i, rest, 0.0f) * squash_tanh(x);
    }
    return static_cast<float>(sum(total));
  }

  static HEED_INLINE void run(const Scored* all, int64_t begin, int64_t end) {
    for (int64_t b = begin; b < end; ++b) {
      const int64_t real = all->real_keys(b);
      for (int64_t t = 0; t < all->queries; ++t) {
        const float* q = all->query + (b * all->queries + t) * all->width;
        float* row = all->scores + (b * all->queries + t) * all->keys;
        for (int64_t j = 0; j < real; ++j) {
          row[j] = score(q, all->key + (b * all->keys + j) * all->width, all->weight, all->width);
        }
        for (int64_t j = real; j < all->keys; ++j) row[j] = kHiddenScore;
      }
    }
  }
};

struct ScoreGradientKernel {
  /// Adds what one score of gradient `g` hands to its query, its key and the weight. kFirst: the
  /// key has nothing yet, whatever lies there.
  template <bool kFirst>
  static HEED_INLINE void add(float g, const float* q, const float* k, const float* v, float* of_q,
                              float* of_k, float* of_v, int64_t width) {
    int64_t i = 0;
    for (; i + kLanes <= width; i += kLanes) {
      const Floats tanh = squash_tanh(load_floats(q + i) + load_floats(k + i));
      const Floats inner = load_floats(v + i) * g * (1.0f - tanh * tanh);
      store_floats(of_q + i, load_floats(of_q + i) + inner);
      store_floats(of_k + i, kFirst ? inner : load_floats(of_k + i) + inner);
      store_floats(of_v + i, load_floats(of_v + i) + tanh * g);
    }
    if (i == width) return;
    const int64_t rest = width - i;
    const Floats tanh = squash_tanh(load_part(q + i, rest, 0.0f) + load_part(k + i, rest, 0.0f));
    const Floats inner = load_part(v + i, rest, 0.0f) * g * (1.0f - tanh * tanh);
    store_part(of_q + i, load_part(of_q + i, rest, 0.0f) + inner, rest);
    store_part(of_k + i, kFirst ? inner : load_part(of_k + i, rest, 0.0f) + inner, rest);
    store_part(of_v + i, load_part(of_v + i, rest, 0.0f) + tanh * g, rest);
  }

  template <bool kFirst>
  static HEED_INLINE void add_query(const Scored* all, int64_t b, int64_t t, int64_t real) {
    const int64_t width = all->width;
    const int64_t query = b * all->queries + t;
    for (int64_t j = 0; j < real; ++j) {
      const int64_t key = b * all->keys + j;
      add<kFirst>(all->of_scores[query * all->keys + j], all->query + query * width,
                  all->key + key * width, all->weight, all->of_query + query * width,
                  all->of_key + key * width, all->of_weight + b * width, width);
    }
  }

  static HEED_INLINE void run(const Scored* all, int64_t begin, int64_t end) {
    for (int64_t b = begin; b < end; ++b) {
      const int64_t real = all->queries > 0 ? all->real_keys(b) : 0;
      if (real > 0) add_query<true>(all, b, 0, real);
      for (int64_t t = 1; t < all->queries; ++t) add_query<false>(all, b, t, real);
      float* of_keys = all->of_key + b * all->keys * all->width;
      std::fill(of_keys + real * all->width, of_keys + all->keys * all->width, 0.0f);
    }
  }
};

Scored scored(const torch::Tensor& query, const torch::Tensor& key, const torch::Tensor& weight,
              const std::optional<torch::Tensor>& lengths) {
  return {
      .queries = query.size(1),
      .keys = key.size(1),
      .width = query.size(2),
      .query = query.const_data_ptr<float>(),
      .key = key.const_data_ptr<float>(),
      .weight = weight.const_data_ptr<float>(),
      .lengths = lengths ? lengths->const_data_ptr<int64_t>() : nullptr,
  };
}

template <typename Kernel>
void score_in_parallel(const Scored& all, int64_t batch) {
  const int64_t each = std::max<int64_t>(all.queries * all.keys * all.width, 1);
  at::parallel_for(0, batch, 4096 / each + 1,
                   [&](int64_t begin, int64_t end) { run_widest<Kernel>(&all, begin, end); });
}

class FusedScores : public torch::autograd::Function<FusedScores> {
 public:
  static torch::Tensor forward(torch::autograd::AutogradContext* context,
                               const torch::Tensor& query_of, const torch::Tensor& key_of,
                               const torch::Tensor& weight_of,
                               const std::optional<torch::Tensor>& lengths) {
    const auto query = query_of.contiguous();
    const auto key = key_of.contiguous();
    const auto weight = weight_of.contiguous();
    context->save_for_backward({query, key, weight, lengths.value_or(torch::Tensor())});
    auto scores = torch::empty({query.size(0), query.size(1), key.size(1)}, query.options());
    auto all = scored(query, key, weight, lengths);
    all.scores = scores.mutable_data_ptr<float>();
    score_in_parallel<ScoreKernel>(all, query.size(0));
    return scores;
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::variable_list gradients) {
    const auto saved = context->get_saved_variables();
    const auto& query = saved[0];
    const auto& key = saved[1];
    const auto& weight = saved[2];
    const auto of_scores = gradients[0].contiguous();
    auto of_query = torch::zeros_like(query);
    auto of_key = torch::empty_like(key);
    auto of_weight = torch::zeros({query.size(0), weight.size(0)}, weight.options());
    auto all =
        scored(query, key, weight, saved[3].defined() ? std::optional(saved[3]) : std::nullopt);
    all.of_scores = of_scores.const_data_ptr<float>();
    all.of_query = of_query.mutable_data_ptr<float>();
    all.of_key = of_key.mutable_data_ptr<float>();
    all.of_weight = of_weight.mutable_data_ptr<float>();
    score_in_parallel<ScoreGradientKernel>(all, query.size(0));
    return {of_query, of_key, of_weight.sum(0), {}};
  }
};

void check_scored(const torch::Tensor& query, const torch::Tensor& key,
                  const torch::Tensor& weight) {
  TORCH_CHECK(query.dim() == 3 && key.dim() == 3 && query.size(0) == key.size(0), "query ",
              query.sizes(), " and key ", key.sizes(), " are no [B, Tq, A] and [B, Tk, A]");
  TORCH_CHECK(query.size(2) == weight.numel() && key.size(2) == weight.numel(), "query depth ",
              query.size(2), " and key depth ", key.size(2), " for ", weight.numel(), " weights");
}

}  // namespace

torch::Tensor additive_scores(const torch::Tensor& query, const torch::Tensor& key,
                              const torch::Tensor& weight, const torch::Tensor& lengths) {
  check_scored(query, key, weight);
  const bool fp32 = query.scalar_type() == torch::kFloat && key.scalar_type() == torch::kFloat &&
                    weight.scalar_type() == torch::kFloat;
  if (!query.is_cpu() || !fp32) return additive_scores_explicit(query, key, weight, lengths);
  return FusedScores::apply(query, key, weight,
                            lengths.defined() ? std::optional(lengths.contiguous()) : std::nullopt);
}

torch::Tensor additive_scores_explicit(const torch::Tensor& query, const torch::Tensor& key,
                                       const torch::Tensor& weight, const torch::Tensor& lengths) {
  check_scored(query, key, weight);
  const c10::impl::ExcludeDispatchKeyGuard no_autocast(c10::autocast_dispatch_keyset);
  const int64_t at_once = std::max<int64_t>(kTanhsAtOnce / std::max<int64_t>(key.numel(), 1), 1);
  std::vector<torch::Tensor> parts;
  for (const auto& some : query.split(at_once, 1)) {
    const auto inner = torch::tanh(some.unsqueeze(2) + key.unsqueeze(1));  // [B, some, Tk, A]
    parts.push_back(torch::matmul(inner, weight));                         // [B, some, Tk]
  }
  const auto scores = parts.size() == 1 ? parts.front() : torch::cat(parts, 1);
  if (!lengths.defined()) return scores;
  const auto place = torch::arange(key.size(1), lengths.options());  // [Tk]
  const auto hidden = (place >= lengths.unsqueeze(1)).unsqueeze(1);  // [B, 1, Tk]
  return scores.masked_fill(hidden, -std::numeric_limits<double>::infinity());
}

}  // namespace heed::nn
