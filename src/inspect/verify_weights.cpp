#include "inspect/verify_weights.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>

namespace heed::inspect {
namespace {

constexpr double kRowTolerance = 1e-5;

/// Uneven texts and, for a translator, one of padding alone, whose queries see nothing.
Texts texts_for_weights(const Verified& verified) {
  if (!verified.model.translates()) return uneven_texts(verified, 1);
  const auto most = longest(verified);
  return random_texts(verified, {most, most / 2, 1, 0, most - 1}, 1);
}

/// Queries of a kind: ids [B, Tq], and how many are real [B]. A text that is pooled has one.
std::pair<torch::Tensor, torch::Tensor> queries_of(const std::string& kind, const Texts& texts) {
  if (kind == "encoder") return {texts.source, texts.source_lengths};
  if (texts.target.defined()) return {texts.target, texts.target_lengths};
  const auto one = torch::ones_like(texts.source_lengths);
  return {one.unsqueeze(1), one};
}

/// bool [B, 1, Tq, Tk] by the rules: keys within the source; in the decoder, none after the query.
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

/// bool [B, 1, Tq]
torch::Tensor real_queries(const std::string& kind, const Texts& texts) {
  const auto [query, lengths] = queries_of(kind, texts);
  return real_places(lengths, query.size(1)).unsqueeze(1);
}

/// |sum - 1| of each row that sees a key, |sum| of each that sees none. A pattern may leave a
/// padded query without keys, so such a row may have either. -> [B, H, Tq]
torch::Tensor row_faults(const torch::Tensor& weights, const std::string& kind,
                         const Texts& texts) {
  const auto sums = weights.sum(-1);  // [B, H, Tq]
  const auto from_one = (sums - 1.0).abs();
  const auto from_zero = sums.abs();
  const auto sees = visible_by_counting(kind, texts).any(-1);  // [B, 1, Tq]
  const auto of_padding = torch::minimum(from_one, from_zero);
  const auto of_seeing = torch::where(real_queries(kind, texts), from_one, of_padding);
  return torch::where(sees, of_seeing, from_zero);
}

/// How far the weights leave [0, 1].
double out_of_range(const torch::Tensor& weights) {
  return std::max({0.0, -weights.min().item<double>(), weights.max().item<double>() - 1.0});
}

model::Trace traced(const Verified& verified, const Texts& texts) {
  const torch::NoGradGuard no_grad;
  model::Trace trace;
  verified.model.predict(texts, nullptr, &trace);
  return trace;
}

std::string place(const model::Trace::Layer& layer) {
  return fmt::format("{} attention of layer {}", layer.kind, layer.layer);
}

/// The largest of what `fault` finds in each layer; NaN counts as the largest.
template <typename Fault>
Check largest(const Verified& verified, double bound, const Fault& fault) {
  const auto texts = texts_for_weights(verified);
  Check worst = at_most(0.0, bound);
  for (const auto& layer : traced(verified, texts).layers) {
    if (!layer.parts.weights.defined()) {
      return at_most(std::numeric_limits<double>::quiet_NaN(), bound,
                     place(layer) + " shows no weights");
    }
    const double found = fault(layer.parts.weights.cpu(), layer.kind, texts);
    if (std::isnan(*worst.measured) || found <= *worst.measured) continue;
    worst.measured = found;
    if (worst.failed()) worst.reason = place(layer);
  }
  return worst;
}

}  // namespace

Check check_shapes(const Verified& verified) {
  const torch::NoGradGuard no_grad;
  const auto texts = uneven_texts(verified, 1);
  int64_t wrong = 0;
  std::string which;
  const auto expect = [&](const std::string& name, const torch::Tensor& x,
                          const std::vector<int64_t>& sizes) {
    if (x.sizes().vec() == sizes) return;
    ++wrong;
    which += fmt::format("{}{}: [{}], not [{}]", which.empty() ? "" : "; ", name,
                         fmt::join(x.sizes().vec(), ", "), fmt::join(sizes, ", "));
  };
  const auto d_model = verified.config.d_model;
  const auto query = torch::randn({2, 5, d_model}).to(verified.model.device());
  for (const auto& item : verified.model.module().named_modules()) {
    const auto attention = std::dynamic_pointer_cast<nn::Attention>(item.value());
    if (attention) expect(item.key(), attention->forward({.query = query}), {2, 5, d_model});
  }
  auto read = texts.source.sizes().vec();
  if (!verified.model.translates()) read.pop_back();
  read.push_back(d_model);
  expect("features", verified.model.read(texts), read);
  return at_most(static_cast<double>(wrong), 0.0, which);
}

Check check_row_sums(const Verified& verified) {
  return largest(
      verified, kRowTolerance, [](const auto& weights, const auto& kind, const auto& texts) {
        const double worst = row_faults(weights, kind, texts).max().template item<double>();
        const double outside = out_of_range(weights);
        return std::isnan(worst) ? worst : std::max(worst, outside);
      });
}

Check check_hidden_weights(const Verified& verified) {
  return largest(verified, 0.0, [](const auto& weights, const auto& kind, const auto& texts) {
    const auto visible = visible_by_counting(kind, texts);
    return weights.abs().masked_fill(visible, 0.0).max().template item<double>();
  });
}

}  // namespace heed::inspect
