#include "inspect/verify_gradients.h"

#include <string>
#include <string_view>
#include <utility>

#include "base/first_few.h"
#include "inspect/verify_training_mode.h"

namespace heed::inspect {
namespace {

constexpr std::size_t kNamed = 4;  // tensors that a reason lists

Texts texts_with_gradients(const Verified& verified) {
  if (!verified.model.translates()) return uneven_texts(verified, 9);
  const auto most = longest(verified);
  return random_texts(verified, {most, most / 2, 0, 1, most - 1}, 9);
}

/// Mean negative log p of random answers, without dropout.
torch::Tensor loss_of(const Verified& verified, const Texts& texts) {
  const auto log_p = verified.model.predict(texts);  // [B, Tt, V] or [B, classes]
  auto answers = torch::arange(log_p.numel() / log_p.size(-1)).remainder(log_p.size(-1));
  if (verified.model.translates()) answers = other_tokens(verified, texts.target).flatten();
  return -log_p.flatten(0, -2).gather(1, answers.unsqueeze(1)).mean();
}

/// Names of the parameters whose gradient `fault` finds wanting.
template <typename Fault>
Check count_gradients(const Verified& verified, const Fault& fault) {
  const TrainingMode training(verified.model.module());
  verified.model.module().zero_grad(/*set_to_none=*/true);
  loss_of(verified, texts_with_gradients(verified)).backward();

  std::vector<std::string> names;
  for (const auto& item : verified.model.module().named_parameters()) {
    if (fault(item.key(), item.value().grad())) names.push_back(item.key());
  }
  const auto count = names.size();
  return at_most(static_cast<double>(count), 0.0, first_few(std::move(names), kNamed));
}

/// A bias of keys adds q · b to all scores of a row, which softmax ignores: where scores are
/// products of q and k as they were projected.
bool shifts_scores_alike(const config::Model& config, std::string_view name) {
  if (!name.ends_with("k_proj.bias")) return false;
  const auto& type = config.attention.type;
  const bool turned = config.positions == "rotary" && name.find("cross_attn") == name.npos;
  return type != "additive" && type != "linear" && !turned;
}

}  // namespace

Check check_gradients_finite(const Verified& verified) {
  return count_gradients(verified, [](const std::string&, const torch::Tensor& gradient) {
    return gradient.defined() && !gradient.isfinite().all().item<bool>();
  });
}

Check check_gradients_reach(const Verified& verified) {
  return count_gradients(verified, [&](const std::string& name, const torch::Tensor& gradient) {
    if (shifts_scores_alike(verified.config, name)) return false;
    return !gradient.defined() || gradient.count_nonzero().item<int64_t>() == 0;
  });
}

}  // namespace heed::inspect
