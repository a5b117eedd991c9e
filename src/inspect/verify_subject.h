#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "config/model.h"
#include "model/build.h"

namespace heed::inspect {

/// Random tokens as a model reads them, padded at the end.
struct Texts {
  torch::Tensor source;            // int64 [B, Ts]
  torch::Tensor source_lengths;    // int64 [B], on the CPU
  torch::Tensor target{};          // int64 [B, Tt], what the decoder reads; undefined: classifier
  torch::Tensor target_lengths{};  // int64 [B], on the CPU
};

/// A translator or a classifier as the checklist meets it. What it returns lies on the CPU.
class Subject {
 public:
  explicit Subject(std::shared_ptr<model::EncoderDecoder> translator);
  explicit Subject(std::shared_ptr<model::Classifier> classifier);

  bool translates() const { return translator_ != nullptr; }
  torch::nn::Module& module() const;
  torch::Device device() const;

  /// log p of every next token [B, Tt, V], 0 at padding; of every label [B, classes].
  torch::Tensor predict(const Texts& texts, const nn::Noise* noise = nullptr,
                        model::Trace* trace = nullptr) const;

  /// The same, token after token through a cache. Of a translator.
  torch::Tensor predict_stepwise(const Texts& texts) const;

  /// What the source became: [B, Ts, D], 0 at padding; of a classifier pooled, [B, D].
  torch::Tensor read(const Texts& texts) const;

 private:
  model::Memory encode(const Texts& texts, const nn::Noise* noise, model::Trace* trace) const;

  std::shared_ptr<model::EncoderDecoder> translator_;
  std::shared_ptr<model::Classifier> classifier_;
};

/// What `heed verify` looks at: a model, and how to make fresh ones like it.
struct Verified {
  config::Model config;
  model::Sizes sizes;
  Subject model;  // in eval mode
  std::function<Subject(uint64_t seed)> build;
};

/// Tokens of a text long enough to show what the model's attention does: patterns and linear
/// attention work in blocks and see all of a short text.
int64_t longest(const Verified& verified);

/// At most `most` of the places 0..count - 1, the first and the last among them.
std::vector<int64_t> spread(int64_t count, int64_t most);

/// Texts of about these lengths (special tokens included, within what the model has positions for);
/// neighbors in a text differ. 0 is a text of padding alone. Targets have the same lengths in
/// reverse order.
Texts random_texts(const Verified& verified, const std::vector<int64_t>& lengths, uint64_t seed);

/// A few texts: the longest, of middle length and of one token: where lengths differ is where masks
/// go wrong.
Texts uneven_texts(const Verified& verified, uint64_t seed);

/// Another token that may stand where `ids` stands: int64 of any shape.
torch::Tensor other_tokens(const Verified& verified, const torch::Tensor& ids);

/// bool [B, len], true at real tokens. lengths: int64 [B]
torch::Tensor real_places(const torch::Tensor& lengths, int64_t len);

/// The largest |a - b|; NaN where either holds one. Shapes agree.
double distance(const torch::Tensor& a, const torch::Tensor& b);

}  // namespace heed::inspect
