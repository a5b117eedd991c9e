#include "train/validation.h"

#include <algorithm>
#include <cmath>

#include "train/autocast.h"

namespace heed::train {
namespace {

/// Eval mode while it lives.
class EvalMode {
 public:
  explicit EvalMode(torch::nn::Module& module) : module_(module), training_(module.is_training()) {
    module.eval();
  }
  ~EvalMode() { module_.train(training_); }
  EvalMode(const EvalMode&) = delete;
  EvalMode& operator=(const EvalMode&) = delete;

 private:
  torch::nn::Module& module_;
  bool training_;
};

}  // namespace

double ValidationLoss::ppl() const { return std::exp(nll); }

std::optional<ValidationLoss> validation_loss(Objective& objective,
                                              const std::vector<data::Batch>& batches,
                                              torch::Device device,
                                              std::optional<torch::ScalarType> precision,
                                              const std::function<bool()>& stop) {
  const torch::NoGradGuard no_grad;
  const EvalMode eval(objective.module());
  auto sums = torch::zeros({3}, torch::dtype(torch::kFloat64).device(device));
  ValidationLoss result;
  for (const auto& batch : batches) {
    if (stop && stop()) return std::nullopt;
    const Autocast autocast(device.type(), precision);
    const auto part = objective.forward(batch.to(device), nullptr);
    sums += torch::stack({part.loss.to(torch::kFloat64), part.nll.to(torch::kFloat64),
                          part.correct.to(torch::kFloat64)});
    result.predictions += objective.predictions(batch);
    result.tokens += objective.tokens(batch);
  }
  const auto totals = (sums / static_cast<double>(std::max<int64_t>(result.predictions, 1))).cpu();
  result.loss = totals[0].item<double>();
  result.nll = totals[1].item<double>();
  result.accuracy = totals[2].item<double>();
  return result;
}

}  // namespace heed::train
