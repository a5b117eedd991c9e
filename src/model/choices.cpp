#include "model/choices.h"

#include <map>
#include <string>
#include <vector>

#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>

#include "base/error.h"

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

}  // namespace

nn::LayerOptions layer_options(const config::Model& config) {
  return {
      .d_model = config.d_model,
      .d_ff = config.d_ff,
      .dropout = config.dropout,
      .norm_first = choose<bool>("model.norm_position", config.norm_position,
                                 {{"pre", true}, {"post", false}}),
      .activation = choose<nn::Activation>(
          "model.activation", config.activation,
          {{"relu", nn::Activation::kRelu}, {"gelu", nn::Activation::kGelu}}),
  };
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

nn::PositionsOptions positions_options(const config::Model& config, int64_t max_len) {
  using Type = nn::PositionsOptions::Type;
  return {
      .type = choose<Type>(
          "model.positions", config.positions,
          {{"sinusoidal", Type::kSinusoidal}, {"learned", Type::kLearned}, {"none", Type::kNone}}),
      .d_model = config.d_model,
      .max_len = max_len,
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
