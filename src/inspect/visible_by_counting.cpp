#include "inspect/visible_by_counting.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "inspect/score_formula.h"

namespace heed::inspect {
namespace {

/// bool [B, T]: the tokens that see all and are seen by all.
torch::Tensor globals_by_counting(const Verified& verified, const std::string& kind,
                                  const torch::Tensor& ids) {
  const auto found = torch::zeros(ids.sizes(), torch::kBool);
  auto out = found.accessor<bool, 2>();
  const auto at = ids.accessor<int64_t, 2>();
  const auto holds = [](const std::vector<int64_t>& all, int64_t one) {
    return std::ranges::find(all, one) != all.end();
  };
  for (int64_t b = 0; b < at.size(0); ++b) {
    for (int64_t t = 0; t < at.size(1); ++t) {
      out[b][t] = holds(verified.config.attention.global_positions, t) ||
                  (kind == "encoder" && holds(verified.sizes.global_ids, at[b][t]));
    }
  }
  return found;
}

/// Of each row of `weights` the largest behind the first `most`; 0 where there are no more.
double beyond(const torch::Tensor& weights, int64_t most) {
  if (weights.size(-1) <= most) return 0.0;
  return std::get<0>(weights.topk(most + 1, -1)).select(-1, most).max().item<double>();
}

/// The same of each block of queries, which share their random keys.
double beyond_random(const torch::Tensor& weights, const config::Attention& attention) {
  double worst = 0.0;
  for (int64_t first = 0; first < weights.size(2); first += attention.block) {
    const auto len = std::min(attention.block, weights.size(2) - first);
    worst = std::max(worst, beyond(weights.narrow(2, first, len).amax(2), attention.random));
  }
  return worst;
}

}  // namespace

std::pair<torch::Tensor, torch::Tensor> queries_of(const std::string& kind, const Texts& texts) {
  if (kind == "encoder") return {texts.source, texts.source_lengths};
  if (texts.target.defined()) return {texts.target, texts.target_lengths};
  const auto one = torch::ones_like(texts.source_lengths);
  return {one.unsqueeze(1), one};
}

torch::Tensor visible_by_counting(const std::string& kind, const Texts& texts) {
  const auto query = queries_of(kind, texts).first;
  const auto& key = kind == "decoder" ? texts.target : texts.source;
  const auto visible = torch::zeros({key.size(0), 1, query.size(1), key.size(1)}, torch::kBool);
  auto at = visible.accessor<bool, 4>();
  const auto length = texts.source_lengths.accessor<int64_t, 1>();
  for (int64_t b = 0; b < at.size(0); ++b) {
    for (int64_t q = 0; q < at.size(2); ++q) {
      for (int64_t k = 0; k < at.size(3); ++k) {
        at[b][0][q][k] = kind == "decoder" ? k <= q : k < length[b];
      }
    }
  }
  return visible;
}

torch::Tensor within_pattern(const Verified& verified, const std::string& kind,
                             const Texts& texts) {
  auto visible = visible_by_counting(kind, texts);
  const auto& attention = verified.config.attention;
  if (kind == "cross" || verified.config.recurrent() || !is_pattern(attention.type)) return visible;
  const auto marks = globals_by_counting(verified, kind, queries_of(kind, texts).first);
  const auto global = marks.accessor<bool, 2>();
  auto at = visible.accessor<bool, 4>();
  for (int64_t b = 0; b < at.size(0); ++b) {
    for (int64_t q = 0; q < at.size(2); ++q) {
      for (int64_t k = 0; k < at.size(3); ++k) {
        const bool near = std::abs(q - k) <= attention.window;
        at[b][0][q][k] = at[b][0][q][k] && (near || global[b][q] || global[b][k]);
      }
    }
  }
  return visible;
}

double hidden_weight(const Verified& verified, const std::string& kind, const Texts& texts,
                     const torch::Tensor& weights) {
  const auto size = weights.abs();
  const auto& attention = verified.config.attention;
  const auto hidden = size.masked_fill(visible_by_counting(kind, texts), 0.0).max().item<double>();
  if (verified.config.recurrent()) return hidden;
  if (attention.type == "top_k") return std::max(hidden, beyond(size, attention.top_k));
  const auto outside = size.masked_fill(within_pattern(verified, kind, texts), 0.0);
  const bool random = attention.type == "bigbird" && kind != "cross";
  return std::max(hidden,
                  random ? beyond_random(outside, attention) : outside.max().item<double>());
}

}  // namespace heed::inspect
