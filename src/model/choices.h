#pragma once

#include "config/model.h"
#include "nn/attention/scaled_dot_product.h"
#include "nn/positions.h"
#include "nn/residual.h"

/// From the config's words to the options of layers. Each throws ConfigError for an unknown word.
namespace heed::model {

nn::LayerOptions layer_options(const config::Model& config);
nn::ScaledDotProductOptions scaled_dot_product_options(const config::Attention& config);

/// max_len: tokens of a text, special tokens included
nn::PositionsOptions positions_options(const config::Model& config, int64_t max_len);

enum class Tie { kNone, kSoftmax, kAll };
Tie tie(const config::Model& config);

enum class Pooling { kCls, kMean, kMax };
Pooling pooling(const config::Model& config);

}  // namespace heed::model
