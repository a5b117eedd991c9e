#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/range.h"
#include "config/rnn.h"

namespace heed::config {

/// Throws ConfigError, "PATH: ", for a global token that no source holds: <s> and <pad>.
void check_global_token(const std::string& path, const std::string& token);

struct Attention {
  std::string type = "multi_head";           // a key of the table in model/attention_registry.cpp
  std::string impl = "auto";                 // explicit, fused or auto
  double dropout = 0.0;                      // probability, on the weights
  int64_t value_dim = 0;                     // depth of a value head; 0 = that of a key head
  bool out_proj = true;                      // false: heads are joined and left as they are
  int64_t top_k = 8;                         // top_k: keys that a query keeps
  int64_t hidden = 0;                        // additive: width of the scorer; 0 = head_dim
  int64_t window = 256;                      // window, longformer, bigbird: keys a side
  std::vector<int64_t> global_positions{};   // longformer, bigbird: see and are seen by all
  std::vector<std::string> global_tokens{};  // likewise, wherever they stand
  int64_t random = 64;                       // bigbird: random keys of a query's block
  int64_t block = 64;                        // bigbird: queries and keys of a block

  bool operator==(const Attention&) const = default;

  static void fields(auto& self, auto&& visit) {
    visit("type", self.type);
    visit("impl", self.impl);
    visit("dropout", self.dropout, Range{0.0, 0.99});
    visit("value_dim", self.value_dim, Range{0, 65536});
    visit("out_proj", self.out_proj);
    visit("top_k", self.top_k, Range{1, 1048576});
    visit("hidden", self.hidden, Range{0, 65536});
    visit("window", self.window, Range{1, 1048576});
    visit("global_positions", self.global_positions);
    visit("global_tokens", self.global_tokens);
    visit("random", self.random, Range{0, 1048576});
    visit("block", self.block, Range{1, 65536});
  }
  void check(const std::string& path) const;
};

struct Model {
  std::string type = "transformer";  // or rnn
  int64_t d_model = 256;             // even under sinusoidal positions
  int64_t heads = 4;                 // must divide d_model
  int64_t kv_heads = 0;              // must divide heads; 0 = heads
  int64_t head_dim = 0;              // depth of a head; 0 = d_model / heads
  int64_t d_ff = 1024;
  int64_t enc_layers = 3;
  int64_t dec_layers = 3;                // read by "task": "translate" only
  double dropout = 0.1;                  // probability, everywhere but on attention weights
  std::string norm_position = "pre";     // pre or post
  std::string norm = "layer";            // layer or rms
  std::string activation = "relu";       // relu, gelu or swiglu
  bool residual = true;                  // false: no way around the sublayers, to see what it does
  double residual_scale = 1.0;           // of a sublayer's result before it is added
  std::string init = "xavier_uniform";   // xavier_uniform, xavier_normal, kaiming or small
  std::string positions = "sinusoidal";  // sinusoidal, learned, none, rotary, alibi or relative
  double rotary_base = 10000.0;
  std::string position_scaling = "none";  // none, linear (interpolation) or ntk
  double position_factor = 1.0;           // how many times the trained length
  int64_t relative_buckets = 32;
  int64_t relative_max_distance = 128;
  std::string tie = "none";      // none, softmax (target embedding = output), all (source too)
  std::string pooling = "mean";  // cls, mean or max; read by "task": "classify" only
  int64_t vocab_rows = 0;        // rows of the embedding; 0 = as many as pieces
  int64_t vocab_multiple = 0;    // as many as pieces, rounded up to a multiple of it; 0 and 1: off
  Attention attention{};
  Rnn rnn{};  // read by "type": "rnn" only

  bool operator==(const Model&) const = default;

  bool recurrent() const { return type == "rnn"; }

  /// What a person calls the attention of this model, and its heads.
  const std::string& attention_type() const { return recurrent() ? rnn.attention : attention.type; }
  int64_t attention_heads() const { return recurrent() ? 1 : heads; }

  int64_t key_depth() const { return head_dim != 0 ? head_dim : d_model / heads; }
  int64_t value_depth() const {
    return attention.value_dim != 0 ? attention.value_dim : key_depth();
  }

  static void fields(auto& self, auto&& visit) {
    visit("type", self.type);
    visit("d_model", self.d_model, Range{1, 65536});
    visit("heads", self.heads, Range{1, 1024});
    visit("kv_heads", self.kv_heads, Range{0, 1024});
    visit("head_dim", self.head_dim, Range{0, 65536});
    visit("d_ff", self.d_ff, Range{1, 1048576});
    visit("enc_layers", self.enc_layers, Range{1, 1000});
    visit("dec_layers", self.dec_layers, Range{1, 1000});
    visit("dropout", self.dropout, Range{0.0, 0.99});
    visit("norm_position", self.norm_position);
    visit("norm", self.norm);
    visit("activation", self.activation);
    visit("residual", self.residual);
    visit("residual_scale", self.residual_scale, Range{0.0, 100.0});
    visit("init", self.init);
    visit("positions", self.positions);
    visit("rotary_base", self.rotary_base, Range{1.0, 1e9});
    visit("position_scaling", self.position_scaling);
    visit("position_factor", self.position_factor, Range{1.0, 1000.0});
    visit("relative_buckets", self.relative_buckets, Range{2, 65536});
    visit("relative_max_distance", self.relative_max_distance, Range{2, 1048576});
    visit("tie", self.tie);
    visit("pooling", self.pooling);
    visit("vocab_rows", self.vocab_rows, Range{0, 16777216});
    visit("vocab_multiple", self.vocab_multiple, Range{0, 65536});
    visit("attention", self.attention);
    visit("rnn", self.rnn);
  }

  /// Choices, and the rules that join fields. Throws ConfigError; `path` names this struct in the
  /// text. The same in every struct of config/.
  void check(const std::string& path) const;
};

}  // namespace heed::config
