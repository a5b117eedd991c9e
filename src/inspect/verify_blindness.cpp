#include "inspect/verify_blindness.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <spdlog/fmt/fmt.h>

#include "inspect/score_formula.h"

namespace heed::inspect {
namespace {

constexpr double kSameSums = 1e-5;  // log p, where the same numbers are added up in the same order
constexpr double kSameUnordered = 1e-4;  // where shapes differ, and with them the order of sums
constexpr double kMoves = 1e-4;
constexpr int64_t kPlaces = 9;  // of a text that are tried

/// NaN stays.
double larger(double a, double b) { return std::isnan(a) || a > b ? a : b; }

/// Texts whose tokens stand in `order`: int64 [Ts].
Texts reordered(const Texts& texts, const torch::Tensor& order) {
  auto other = texts;
  other.source = texts.source.index_select(1, order);
  return other;
}

/// Features of reordered texts, put back: [B, Ts, D], or [B, D] pooled.
torch::Tensor read_reordered(const Verified& verified, const Texts& texts,
                             const torch::Tensor& order) {
  const auto features = verified.model.read(reordered(texts, order));
  return verified.model.translates() ? features.index_select(1, order.argsort()) : features;
}

Texts full_texts(const Verified& verified, uint64_t seed) {
  return random_texts(verified, {longest(verified), longest(verified)}, seed);
}

/// Row `row` of the batch, without its padding.
Texts alone(const Texts& texts, int64_t row) {
  const auto cut = [row](const torch::Tensor& ids, const torch::Tensor& lengths) {
    return ids.narrow(0, row, 1).narrow(1, 0, lengths[row].item<int64_t>()).contiguous();
  };
  Texts one{.source = cut(texts.source, texts.source_lengths),
            .source_lengths = texts.source_lengths.narrow(0, row, 1)};
  if (!texts.target.defined()) return one;
  one.target = cut(texts.target, texts.target_lengths);
  one.target_lengths = texts.target_lengths.narrow(0, row, 1);
  return one;
}

}  // namespace

Check check_future(const Verified& verified) {
  if (!verified.model.translates()) {
    return not_applicable("a classifier pools its whole text");
  }
  const torch::NoGradGuard no_grad;
  double moved = 0.0;
  for (const uint64_t seed : {1, 2, 3}) {
    const auto texts = full_texts(verified, seed);
    const auto before = verified.model.predict(texts);
    for (const auto t : spread(texts.target.size(1) - 1, kPlaces)) {
      auto changed = texts;
      const auto kept = texts.target.narrow(1, 0, t + 1);
      const auto later = texts.target.narrow(1, t + 1, texts.target.size(1) - t - 1);
      changed.target = torch::cat({kept, other_tokens(verified, later)}, 1);
      const auto after = verified.model.predict(changed);
      moved = larger(distance(before.narrow(1, 0, t + 1), after.narrow(1, 0, t + 1)), moved);
    }
  }
  return at_most(moved, kSameSums);
}

Check check_padding(const Verified& verified) {
  const torch::NoGradGuard no_grad;
  const auto texts = uneven_texts(verified, 2);
  const auto filled = [&](const torch::Tensor& ids, const torch::Tensor& lengths) {
    const auto junk = other_tokens(verified, torch::arange(ids.numel()).view(ids.sizes()));
    return torch::where(real_places(lengths, ids.size(1)), ids, junk);
  };
  auto changed = texts;
  changed.source = filled(texts.source, texts.source_lengths);
  if (texts.target.defined()) changed.target = filled(texts.target, texts.target_lengths);
  return at_most(distance(verified.model.predict(texts), verified.model.predict(changed)),
                 kSameSums);
}

Check check_batch(const Verified& verified) {
  const torch::NoGradGuard no_grad;
  const auto texts = uneven_texts(verified, 3);
  const auto together = verified.model.predict(texts);
  double worst = 0.0;
  for (int64_t row = 0; row < texts.source.size(0); ++row) {
    const auto one = verified.model.predict(alone(texts, row));
    auto same = together.narrow(0, row, 1);
    if (verified.model.translates()) same = same.narrow(1, 0, one.size(1));
    worst = larger(distance(one, same), worst);
  }
  return at_most(worst, kSameUnordered);
}

Check check_permutation(const Verified& verified) {
  const auto& config = verified.config;
  if (config.positions != "none") {
    return not_applicable(fmt::format("model.positions is {}", config.positions));
  }
  if (is_pattern(config.attention.type)) {
    return not_applicable(fmt::format("{} attention itself goes by places", config.attention.type));
  }
  const torch::NoGradGuard no_grad;
  const auto texts = full_texts(verified, 4);
  const auto before = verified.model.read(texts);
  const auto len = texts.source.size(1);
  const auto order = torch::cat({torch::arange(len - 1).flip(0), torch::tensor({len - 1})});
  return at_most(distance(before, read_reordered(verified, texts, order)), kSameUnordered);
}

Check check_swap(const Verified& verified) {
  if (verified.config.positions == "none") return not_applicable("model.positions is none");
  const torch::NoGradGuard no_grad;
  const auto texts = full_texts(verified, 5);
  const auto len = texts.source.size(1);
  if (len < 3) return not_applicable("data.max_len leaves no room for two tokens that could swap");
  const auto before = verified.model.read(texts);
  double least = std::numeric_limits<double>::infinity();
  for (const auto t : spread(len - 2, kPlaces)) {
    auto order = torch::arange(len);
    order[t] = t + 1;
    order[t + 1] = t;
    least = -larger(-distance(before, read_reordered(verified, texts, order)), -least);
  }
  return at_least(least, kMoves);
}

}  // namespace heed::inspect
