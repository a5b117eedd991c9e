#pragma once

#include "nn/kernels/keyed_dropout.h"
#include "nn/noise.h"

namespace heed::nn {

/// Dropout (Srivastava et al., 2014) whose mask is a pure function of (seed, step, example, site,
/// element): x / (1 - p) where kept, else 0. Active where a noise is given and the module is in
/// training mode.
class DropoutImpl final : public torch::nn::Module {
 public:
  explicit DropoutImpl(double p);

  /// x [B, T, D] -> same
  torch::Tensor forward(const torch::Tensor& x, const Noise* noise) const;

  /// residual + dropout(x) in one pass; x, residual [B, T, D] -> same
  torch::Tensor add(const torch::Tensor& residual, const torch::Tensor& x,
                    const Noise* noise) const;

  /// weights [B, H, Tq, Tk] -> same; an element's number doesn't depend on padding. places: those
  /// of the weights where they are a part of all.
  torch::Tensor on_weights(const torch::Tensor& weights, const Noise* noise,
                           const DropoutPlaces& places = {}) const;

  double p() const { return p_; }
  void set_site(int64_t site) { site_ = site; }

 private:
  double p_;
  int64_t site_ = 0;
};
TORCH_MODULE(Dropout);

/// Numbers the dropout sites of a model, in the order of registration, so that no two share their
/// noise. Called once by whoever builds a model.
void number_dropout_sites(torch::nn::Module& model);

}  // namespace heed::nn
