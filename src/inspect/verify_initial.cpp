#include "inspect/verify_initial.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <spdlog/fmt/fmt.h>

#include "inspect/score_formula.h"
#include "model/attention_registry.h"

namespace heed::inspect {
namespace {

constexpr double kSaturated = 5.0;  // std of scores
constexpr double kNear = 2.0;       // times the value expected, or 1 / kNear of it
constexpr double kSameFormula = 1e-5;
constexpr double kDiffers = 1e-6;
constexpr int64_t kScoredKeys = 16;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

using Tensors = std::map<std::string, torch::Tensor>;

Tensors parameters(const torch::nn::Module& module) {
  Tensors tensors;
  for (const auto& item : module.named_parameters()) tensors[item.key()] = item.value().detach();
  return tensors;
}

Subject fresh(const Verified& verified) {
  auto model = verified.build(1);
  model.module().eval();
  return model;
}

/// Without positions and dropout, so that a formula of few words holds.
config::Model plain(config::Model config) {
  config.positions = "none";
  config.position_scaling = "none";
  config.position_factor = 1.0;
  config.attention.dropout = 0.0;
  return config;
}

double std_of_visible(const torch::Tensor& scores) {
  const auto visible = scores.masked_select(scores.isfinite()).to(torch::kDouble);
  return visible.numel() < 2 ? 0.0 : visible.std().item<double>();
}

/// Variance of a weight [out, in] under `init`.
std::optional<double> variance(const std::string& init, const torch::Tensor& weight) {
  const auto out = static_cast<double>(weight.size(0));
  const auto in = static_cast<double>(weight.size(1));
  if (init.starts_with("xavier")) return 2.0 / (in + out);
  if (init == "kaiming") return 2.0 / in;
  if (init == "small") return 2.0 / (5.0 * in);
  return std::nullopt;
}

/// Of scores between independent inputs of unit variance: each element of a query or key has
/// variance D * Var(W), and a product over Dk of them Dk times the variance of their product.
std::optional<double> expected_std(const config::Model& config, const Tensors& weights,
                                   int64_t key_depth) {
  const auto formula = score_formula(config.attention.type);
  if (!formula.dot_product || !weights.contains("q_proj.weight")) return std::nullopt;
  const auto& q = weights.at("q_proj.weight");
  const auto& k = weights.at("k_proj.weight");
  const auto of_q = variance(config.init, q);
  const auto of_k = variance(config.init, k);
  if (!of_q || !of_k) return std::nullopt;
  const auto in = static_cast<double>(q.size(1));
  const auto unscaled = in * std::sqrt(*of_q * *of_k * static_cast<double>(key_depth));
  return formula.scaled ? unscaled / std::sqrt(static_cast<double>(key_depth)) : unscaled;
}

/// "layers.2.self_attn.q_proj.weight" -> {"2", "layers.*.self_attn.q_proj.weight"}
std::optional<std::pair<std::string, std::string>> layer_and_place(const std::string& name) {
  constexpr std::string_view kMark = "layers.";
  const auto begin = name.find(kMark);
  if (begin == name.npos) return std::nullopt;
  const auto number = begin + kMark.size();
  const auto end = name.find('.', number);
  return std::pair{name.substr(number, end - number),
                   name.substr(0, number) + "*" + name.substr(end)};
}

/// Biases and norms start as the same constants in every layer.
bool drawn_at_random(const torch::Tensor& tensor) {
  return tensor.dim() > 1 && !tensor.eq(tensor.flatten()[0]).all().item<bool>();
}

/// What keeps the smallest distance, and where it was found.
struct Closest {
  double value = kInfinity;
  std::string where;

  void meet(const torch::Tensor& a, const torch::Tensor& b, const std::string& place) {
    if (a.sizes() != b.sizes()) return;
    const auto found = distance(a, b);
    if (found >= value) return;
    value = found;
    where = place;
  }

  Check check(const std::string& nothing) const {
    if (value == kInfinity) return not_applicable(nothing);
    return at_least(value, kDiffers, value < kDiffers ? where : "");
  }
};

/// So few that no pattern hides one from another.
int64_t keys_that_all_see(const config::Attention& config) {
  constexpr int64_t kMost = 7;
  if (config.type == "top_k") return std::min(kMost, config.top_k);
  return std::min(kMost, config.window + 1);
}

/// The context of one head by the formula, from parameters and input alone; scores of a variant
/// whose formula is not a dot product are taken as it shows them.
torch::Tensor by_formula(const config::Model& config, const Tensors& weights,
                         const torch::Tensor& x, const nn::AttentionParts& parts) {
  const auto project = [&](const std::string& name, const torch::Tensor& from) {
    const auto bias = weights.find(name + ".bias");
    const auto product = torch::matmul(from, weights.at(name + ".weight").t());
    return bias == weights.end() ? product : product + bias->second;
  };
  const auto query = project("q_proj", x);  // [B, T, Dk]
  const auto key = project("k_proj", x);    // [B, T, Dk]
  const auto value = project("v_proj", x);  // [B, T, Dv]

  const auto formula = score_formula(config.attention.type);
  auto weight = parts.weights.squeeze(1);  // [B, T, T]
  if (formula.dot_product) {
    auto scores = torch::matmul(query, key.transpose(1, 2));  // [B, T, T]
    if (formula.scaled) scores = scores / std::sqrt(static_cast<double>(query.size(-1)));
    weight = torch::softmax(scores, -1);
  } else if (formula.linear) {
    const auto phi = [](const torch::Tensor& z) { return torch::where(z > 0, z + 1.0, z.exp()); };
    weight = torch::matmul(phi(query), phi(key).transpose(1, 2));
    weight = weight / weight.sum(-1, true);
  }
  const auto context = torch::matmul(weight, value);  // [B, T, Dv]
  return weights.contains("out_proj.weight") ? project("out_proj", context) : context;
}

}  // namespace

Check check_model_score_std(const Verified& verified) {
  if (score_formula(verified.config.attention.type).linear) {
    return not_applicable("linear attention has no softmax that could saturate");
  }
  const torch::NoGradGuard no_grad;
  model::Trace trace;
  fresh(verified).predict(uneven_texts(verified, 10), nullptr, &trace);
  Check check = at_most(0.0, kSaturated);
  for (const auto& layer : trace.layers) {
    const auto found = std_of_visible(layer.parts.scores);
    if (found <= *check.measured) continue;
    check.measured = found;
    if (check.failed()) {
      check.reason = fmt::format("{} attention of layer {}", layer.kind, layer.layer);
    }
  }
  return check;
}

Check check_score_std(const Verified& verified) {
  auto config = plain(verified.config);
  config.attention.top_k = std::max(config.attention.top_k, kScoredKeys);
  if (score_formula(config.attention.type).linear) {
    return not_applicable("linear attention has no softmax that could saturate");
  }
  const torch::NoGradGuard no_grad;
  torch::manual_seed(1);
  const auto attention = model::make_attention(config, model::Role::kEncoder);
  attention->eval();
  nn::AttentionParts parts;
  attention->forward({.query = torch::randn({8, kScoredKeys, config.d_model}), .parts = &parts});

  auto check = at_most(std_of_visible(parts.scores), kSaturated);
  if (const auto e = expected_std(config, parameters(*attention), parts.key.size(-1))) {
    if (*e / kNear < kSaturated) check.at_least = *e / kNear;
    check.at_most = std::min(*e * kNear, kSaturated);
    if (check.failed()) check.reason = fmt::format("the init scheme gives {:.3g}", *e);
  }
  return check;
}

Check check_layers_differ(const Verified& verified) {
  const torch::NoGradGuard no_grad;
  std::map<std::string, Tensors> layers_of_place;
  for (const auto& [name, tensor] : parameters(fresh(verified).module())) {
    const auto found = layer_and_place(name);
    if (found && drawn_at_random(tensor)) layers_of_place[found->second][found->first] = tensor;
  }
  Closest closest;
  for (const auto& [place, layers] : layers_of_place) {
    for (auto a = layers.begin(); a != layers.end(); ++a) {
      for (auto b = std::next(a); b != layers.end(); ++b) {
        closest.meet(a->second, b->second,
                     fmt::format("{} of layers {} and {}", place, a->first, b->first));
      }
    }
  }
  return closest.check("there is one layer of each kind");
}

Check check_projections_differ(const Verified& verified) {
  const torch::NoGradGuard no_grad;
  const auto tensors = parameters(fresh(verified).module());
  const std::string kQuery = "q_proj.weight";
  Closest closest;
  for (const auto& [name, query] : tensors) {
    if (!name.ends_with(kQuery)) continue;
    const auto place = name.substr(0, name.size() - kQuery.size());
    const auto key = tensors.find(place + "k_proj.weight");
    const auto value = tensors.find(place + "v_proj.weight");
    if (key == tensors.end() || value == tensors.end()) continue;
    closest.meet(query, key->second, place + "{q,k}_proj");
    closest.meet(query, value->second, place + "{q,v}_proj");
    closest.meet(key->second, value->second, place + "{k,v}_proj");
  }
  return closest.check("no two projections have one shape");
}

Check check_single_head(const Verified& verified) {
  auto config = plain(verified.config);
  config.heads = 1;
  config.kv_heads = 0;
  config.head_dim = 0;
  config.attention.value_dim = 0;
  const torch::NoGradGuard no_grad;
  torch::manual_seed(2);
  const auto attention = model::make_attention(config, model::Role::kEncoder);
  attention->eval();
  const auto weights = parameters(*attention);
  for (const auto* name : {"q_proj.weight", "k_proj.weight", "v_proj.weight"}) {
    if (!weights.contains(name)) {
      return not_applicable(fmt::format("{} attention has no {}", config.attention.type, name));
    }
  }
  const auto x = torch::randn({2, keys_that_all_see(config.attention), config.d_model});
  nn::AttentionParts parts;
  attention->forward({.query = x, .parts = &parts});
  const auto context = attention->forward({.query = x});
  return at_most(distance(context, by_formula(config, weights, x, parts)), kSameFormula);
}

}  // namespace heed::inspect
