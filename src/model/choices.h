#pragma once

#include "config/model.h"
#include "nn/attention/scaled_dot_product.h"
#include "nn/positions.h"
#include "nn/residual.h"

/// From the config's words to the options of layers. Each throws ConfigError for an unknown word.
namespace heed::model {

nn::LayerOptions layer_options(const config::Model& config);
nn::ScaledDotProductOptions scaled_dot_product_options(const config::Attention& config);

nn::Init init(const config::Model& config);

/// Angles of sinusoids and rotary positions, under model.position_scaling.
nn::AngleOptions angle_options(const config::Model& config, int64_t width, double base);

/// Positions that are added to the embeddings: none where attention is told otherwise. max_len:
/// tokens of a text, special tokens included
nn::PositionsOptions positions_options(const config::Model& config, int64_t max_len);

enum class Tie { kNone, kSoftmax, kAll };
Tie tie(const config::Model& config);

enum class Pooling { kCls, kMean, kMax };
Pooling pooling(const config::Model& config);

}  // namespace heed::model
