#include "inspect/attention_health.h"

#include <algorithm>
#include <array>

#include <spdlog/fmt/fmt.h>

#include "nn/mask.h"

namespace heed::inspect {
namespace {

constexpr double kNearEven = 0.98;  // entropy
constexpr double kOneKey = 0.95;

/// weights [B, H, Tq, Tk] and the lengths of its two sides -> a row a head
class Means {
 public:
  Means(const torch::Tensor& weights, const torch::Tensor& query_lengths,
        const torch::Tensor& key_lengths, const torch::Tensor& visible)
      : weights_(weights),
        queries_(nn::key_padding_mask(query_lengths, weights.size(2)).squeeze(1)),  // [B, 1, Tq]
        keys_(nn::key_padding_mask(key_lengths, weights.size(3))),                  // [B, 1, 1, Tk]
        last_((key_lengths - 1).clamp_min(0)),
        visible_(visible.sum(-1)) {}  // [B, H or 1, Tq]

  torch::Tensor entropy() const {
    const auto many = (visible_ > 1).logical_and(queries_).expand(shape());
    const auto bits = -(weights_ * weights_.clamp_min(1e-30).log()).sum(-1);  // [B, H, Tq]
    const auto even = visible_.clamp_min(2).to(torch::kFloat64).log();
    return mean(bits / even, many);
  }

  torch::Tensor diagonal() const {
    return mean(
        torch::eye(weights_.size(2), weights_.size(3), weights_.options()).mul(weights_).sum(-1));
  }

  torch::Tensor on_key(const torch::Tensor& place) const {  // int64 [B]
    const auto index =
        place.view({-1, 1, 1, 1}).expand({-1, weights_.size(1), weights_.size(2), 1});
    return mean(weights_.gather(-1, index).squeeze(-1));
  }

  torch::Tensor first() const { return on_key(torch::zeros_like(last_)); }
  torch::Tensor end() const { return on_key(last_); }
  torch::Tensor padding() const { return mean(weights_.masked_fill(keys_, 0.0).sum(-1)); }
  torch::Tensor largest() const { return mean(weights_.amax(-1)); }

  torch::Tensor one_key() const {
    const auto of_real = weights_.masked_fill(~queries_.unsqueeze(-1), 0.0).sum(2);  // [B, H, Tk]
    const auto count = queries_.sum(-1).clamp_min(1);                                // [B, 1]
    return (of_real / count.unsqueeze(-1)).amax(-1).mean(0);
  }

 private:
  std::vector<int64_t> shape() const {
    return {weights_.size(0), weights_.size(1), weights_.size(2)};
  }

  torch::Tensor mean(const torch::Tensor& values) const {
    return mean(values, queries_.expand(shape()));
  }

  /// values [B, H, Tq], the ones that count -> [H]
  static torch::Tensor mean(const torch::Tensor& values, const torch::Tensor& counted) {
    constexpr std::array<int64_t, 2> kSummed{0, 2};
    return values.masked_fill(~counted, 0.0).sum(kSummed) / counted.sum(kSummed).clamp_min(1);
  }

  torch::Tensor weights_, queries_, keys_, last_, visible_;
};

void add_heads(const model::Trace::Layer& layer, const torch::Tensor& query_lengths,
               const torch::Tensor& key_lengths, std::vector<HeadHealth>& out) {
  const auto weights = layer.parts.weights.cpu().to(torch::kFloat64);
  const auto visible =
      layer.parts.scores.defined() ? torch::isfinite(layer.parts.scores.cpu()) : weights > 0.0;
  const Means means(weights, query_lengths, key_lengths, visible);
  const auto table = torch::stack({means.entropy(), means.diagonal(), means.first(), means.end(),
                                   means.padding(), means.largest(), means.one_key()});
  const auto value = table.accessor<double, 2>();
  for (int64_t head = 0; head < table.size(1); ++head) {
    out.push_back({.kind = layer.kind,
                   .layer = layer.layer,
                   .head = head,
                   .entropy = value[0][head],
                   .diagonal = value[1][head],
                   .first = value[2][head],
                   .end = value[3][head],
                   .padding = value[4][head],
                   .largest = value[5][head],
                   .one_key = value[6][head]});
  }
}

/// The pooling of a recurrent classifier has one query a text.
torch::Tensor query_lengths_of(const model::Trace::Layer& layer, const data::Batch& batch) {
  if (layer.kind == "encoder") return batch.source_lengths;
  if (batch.target_lengths.defined()) return batch.target_lengths;
  return torch::ones_like(batch.source_lengths);
}

std::vector<HeadHealth> heads_of(const model::Trace& trace, const data::Batch& batch) {
  std::vector<HeadHealth> out;
  for (const auto& layer : trace.layers) {
    const auto& keys = layer.kind == "decoder" ? batch.target_lengths : batch.source_lengths;
    add_heads(layer, query_lengths_of(layer, batch), keys, out);
  }
  return out;
}

/// "3 of 8 decoder heads", or nothing where they are fewer than half.
std::string many_of(const std::vector<HeadHealth>& heads, const std::string& kind,
                    double HeadHealth::* value, double above) {
  const auto of_kind = [&](const HeadHealth& head) { return head.kind == kind; };
  const auto all = std::ranges::count_if(heads, of_kind);
  const auto found = std::ranges::count_if(
      heads, [&](const HeadHealth& head) { return of_kind(head) && head.*value > above; });
  if (found == 0 || 2 * found < all) return {};
  return fmt::format("{} of {} {} heads", found, all, kind);
}

}  // namespace

std::vector<HeadHealth> attention_health(model::EncoderDecoder& model, const data::Batch& batch,
                                         torch::Device device) {
  const torch::NoGradGuard no_grad;
  model::Trace trace;
  const auto on_device = batch.to(device);
  const auto memory =
      model.encode({.ids = on_device.source, .lengths = on_device.source_lengths, .trace = &trace});
  model.decode({.ids = on_device.target_in, .lengths = on_device.target_lengths, .trace = &trace},
               memory);
  return heads_of(trace, batch);
}

std::vector<HeadHealth> attention_health(model::Classifier& model, const data::Batch& batch,
                                         torch::Device device) {
  const torch::NoGradGuard no_grad;
  model::Trace trace;
  const auto on_device = batch.to(device);
  model.pool({.ids = on_device.source, .lengths = on_device.source_lengths, .trace = &trace});
  return heads_of(trace, batch);
}

std::vector<AttentionWarning> attention_warnings(const std::vector<HeadHealth>& heads,
                                                 const config::Model& config) {
  const bool recurrent = config.recurrent();
  const auto* of_even = recurrent
                            ? "train.lr and its warm-up, model.dropout, and model.rnn.attention"
                            : "model.positions, train.lr and its warm-up, model.dropout, and the "
                              "scale of the scores";
  const auto* of_one =
      recurrent ? "train.lr and its warm-up, train.clip_norm, and model.rnn.attention"
                : "train.lr and its warm-up, train.clip_norm, model.norm_position, and the scale "
                  "of the scores";
  std::vector<AttentionWarning> out;
  for (const std::string kind : {"encoder", "decoder", "cross"}) {
    if (const auto even = many_of(heads, kind, &HeadHealth::entropy, kNearEven); !even.empty()) {
      out.push_back(
          {.about = kind + " even",
           .text = fmt::format(
               "{} look at everything almost alike (entropy above {} of even weights); check {}",
               even, kNearEven, of_even)});
    }
    if (const auto one = many_of(heads, kind, &HeadHealth::one_key, kOneKey); !one.empty()) {
      out.push_back(
          {.about = kind + " one key",
           .text = fmt::format(
               "{} look at one key, whatever the query (above {} of the weight); check {}", one,
               kOneKey, of_one)});
    }
  }
  return out;
}

}  // namespace heed::inspect
