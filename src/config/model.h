#pragma once

#include <cstdint>
#include <string>

#include "config/range.h"

namespace heed::config {

struct Attention {
  std::string type = "multi_head";  // a key of the table in model/attention_registry.cpp
  std::string impl = "auto";        // explicit, fused or auto
  double dropout = 0.0;             // probability, on the weights

  bool operator==(const Attention&) const = default;

  static void fields(auto& self, auto&& visit) {
    visit("type", self.type);
    visit("impl", self.impl);
    visit("dropout", self.dropout, Range{0.0, 0.99});
  }
  void check(const std::string& path) const;
};

struct Model {
  std::string type = "transformer";
  int64_t d_model = 256;  // even under sinusoidal positions
  int64_t heads = 4;      // must divide d_model
  int64_t kv_heads = 0;   // must divide heads; 0 = heads
  int64_t d_ff = 1024;
  int64_t enc_layers = 3;
  int64_t dec_layers = 3;                // read by "task": "translate" only
  double dropout = 0.1;                  // probability, everywhere but on attention weights
  std::string norm_position = "pre";     // pre or post
  std::string activation = "relu";       // relu or gelu
  std::string positions = "sinusoidal";  // sinusoidal, learned or none
  std::string tie = "none";      // none, softmax (target embedding = output), all (source too)
  std::string pooling = "mean";  // cls, mean or max; read by "task": "classify" only
  int64_t vocab_rows = 0;        // rows of the embedding; 0 = as many as pieces
  int64_t vocab_multiple = 0;    // as many as pieces, rounded up to a multiple of it; 0 and 1: off
  Attention attention{};

  bool operator==(const Model&) const = default;

  static void fields(auto& self, auto&& visit) {
    visit("type", self.type);
    visit("d_model", self.d_model, Range{1, 65536});
    visit("heads", self.heads, Range{1, 1024});
    visit("kv_heads", self.kv_heads, Range{0, 1024});
    visit("d_ff", self.d_ff, Range{1, 1048576});
    visit("enc_layers", self.enc_layers, Range{1, 1000});
    visit("dec_layers", self.dec_layers, Range{1, 1000});
    visit("dropout", self.dropout, Range{0.0, 0.99});
    visit("norm_position", self.norm_position);
    visit("activation", self.activation);
    visit("positions", self.positions);
    visit("tie", self.tie);
    visit("pooling", self.pooling);
    visit("vocab_rows", self.vocab_rows, Range{0, 16777216});
    visit("vocab_multiple", self.vocab_multiple, Range{0, 65536});
    visit("attention", self.attention);
  }

  /// Choices, and the rules that join fields. Throws ConfigError; `path` names this struct in the
  /// text. The same in every struct of config/.
  void check(const std::string& path) const;
};

}  // namespace heed::config
