#include "model/choices.h"

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>

#include "base/error.h"
#include "model/sizes.h"

namespace heed::model {
namespace {

template <typename Choice>
Choice choose(const char* field, const std::string& word,
              const std::map<std::string, Choice>& choices) {
  const auto found = choices.find(word);
  if (found != choices.end()) return found->second;
  std::vector<std::string> words;
  for (const auto& [known, choice] : choices) words.push_back(known);
  throw ConfigError(fmt::format("{}: '{}' is none of {}", field, word, fmt::join(words, ", ")));
}

/// Rows of learned positions: as many as were trained, before interpolation stretched them.
int64_t learned_len(int64_t max_len, double stretch) {
  const auto text = static_cast<double>(max_len - kSpecial);
  return static_cast<int64_t>(std::ceil(text / stretch)) + kSpecial;
}

}  // namespace

nn::LayerOptions layer_options(const config::Model& config) {
  using Norm = nn::NormOptions::Type;
  return {
      .d_model = config.d_model,
      .d_ff = config.d_ff,
      .dropout = config.dropout,
      .norm_first = choose<bool>("model.norm_position", config.norm_position,
                                 {{"pre", true}, {"post", false}}),
      .norm =
          choose<Norm>("model.norm", config.norm, {{"layer", Norm::kLayer}, {"rms", Norm::kRms}}),
      .activation = choose<nn::Activation>("model.activation", config.activation,
                                           {{"relu", nn::Activation::kRelu},
                                            {"gelu", nn::Activation::kGelu},
                                            {"swiglu", nn::Activation::kSwiglu}}),
      .residual = config.residual,
      .residual_scale = config.residual_scale,
      .init = init(config),
  };
}

nn::Init init(const config::Model& config) {
  return choose<nn::Init>("model.init", config.init,
                          {{"xavier_uniform", nn::Init::kXavierUniform},
                           {"xavier_normal", nn::Init::kXavierNormal},
                           {"kaiming", nn::Init::kKaiming},
                           {"small", nn::Init::kSmall}});
}

nn::ScaledDotProductOptions scaled_dot_product_options(const config::Attention& config) {
  using Impl = nn::ScaledDotProductOptions::Impl;
  return {
      .dropout = config.dropout,
      .impl = choose<Impl>(
          "model.attention.impl", config.impl,
          {{"explicit", Impl::kExplicit}, {"fused", Impl::kFused}, {"auto", Impl::kAuto}}),
  };
}

nn::AngleOptions angle_options(const config::Model& config, int64_t width, double base) {
  enum class Scaling { kNone, kLinear, kNtk };
  const auto scaling = choose<Scaling>(
      "model.position_scaling", config.position_scaling,
      {{"none", Scaling::kNone}, {"linear", Scaling::kLinear}, {"ntk", Scaling::kNtk}});
  const double factor = config.position_factor;
  return {
      .width = width,
      .base = scaling == Scaling::kNtk ? nn::ntk_base(base, factor, width) : base,
      .stretch = scaling == Scaling::kLinear ? factor : 1.0,
  };
}

nn::PositionsOptions positions_options(const config::Model& config, int64_t max_len) {
  using Type = nn::PositionsOptions::Type;
  const auto type = choose<Type>("model.positions", config.positions,
                                 {{"sinusoidal", Type::kSinusoidal},
                                  {"learned", Type::kLearned},
                                  {"none", Type::kNone},
                                  {"rotary", Type::kNone},
                                  {"alibi", Type::kNone},
                                  {"relative", Type::kNone}});
  if (type == Type::kNone) return {.type = type, .d_model = config.d_model, .max_len = max_len};
  const auto angles = angle_options(config, config.d_model, 10000.0);
  const bool learned = type == Type::kLearned;
  return {
      .type = type,
      .d_model = config.d_model,
      .max_len = learned ? learned_len(max_len, angles.stretch) : max_len,
      .base = angles.base,
      .stretch = angles.stretch,
  };
}

Tie tie(const config::Model& config) {
  return choose<Tie>("model.tie", config.tie,
                     {{"none", Tie::kNone}, {"softmax", Tie::kSoftmax}, {"all", Tie::kAll}});
}

Pooling pooling(const config::Model& config) {
  return choose<Pooling>(
      "model.pooling", config.pooling,
      {{"cls", Pooling::kCls}, {"mean", Pooling::kMean}, {"max", Pooling::kMax}});
}

}  // namespace heed::model
