#include "inspect/verify_weights.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>

#include "inspect/visible_by_counting.h"

namespace heed::inspect {
namespace {

constexpr double kRowTolerance = 1e-5;

/// Uneven texts and, for a translator, one of padding alone, whose queries see nothing.
Texts texts_for_weights(const Verified& verified) {
  if (!verified.model.translates()) return uneven_texts(verified, 1);
  const auto most = longest(verified);
  return random_texts(verified, {most, most / 2, 1, 0, most - 1}, 1);
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
  return largest(verified, 0.0, [&](const auto& weights, const auto& kind, const auto& texts) {
    return hidden_weight(verified, kind, texts, weights);
  });
}

}  // namespace heed::inspect
