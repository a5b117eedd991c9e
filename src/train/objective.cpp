#include "train/objective.h"

#include <utility>

#include "nn/kernels/projected_loss.h"

namespace heed::train {
namespace {

LossSums sums_of(nn::ProjectedLoss loss) {
  return {
      .loss = std::move(loss.loss), .nll = std::move(loss.nll), .correct = std::move(loss.correct)};
}

}  // namespace

torch::Tensor real_rows(const torch::Tensor& lengths, int64_t max_len) {
  const auto batch = lengths.size(0);
  auto rows = torch::empty({lengths.sum().item<int64_t>()}, torch::kInt64);
  auto* row = rows.mutable_data_ptr<int64_t>();
  const auto length = lengths.accessor<int64_t, 1>();
  for (int64_t b = 0; b < batch; ++b) {
    for (int64_t t = 0; t < length[b]; ++t) *row++ = b * max_len + t;
  }
  return rows;
}

TranslationObjective::TranslationObjective(std::shared_ptr<model::EncoderDecoder> model,
                                           const config::Train& config)
    : model_(std::move(model)),
      label_smoothing_(config.label_smoothing),
      recompute_(config.recompute) {}

LossSums TranslationObjective::forward(const data::Batch& batch, const nn::Noise* noise) {
  const auto memory = model_->encode({.ids = batch.source,
                                      .lengths = batch.source_lengths,
                                      .noise = noise,
                                      .recompute = recompute_});
  const auto features = model_->decode({.ids = batch.target_in,
                                        .lengths = batch.target_lengths,
                                        .noise = noise,
                                        .recompute = recompute_},
                                       memory);

  const auto rows = real_rows(batch.target_lengths, features.size(1)).to(features.device());
  return sums_of(nn::projected_loss(features.flatten(0, 1).index_select(0, rows),  // [N, D]
                                    model_->output_weight(), model_->output_bias(),
                                    batch.target_out.flatten().index_select(0, rows),  // [N]
                                    label_smoothing_));
}

ClassificationObjective::ClassificationObjective(std::shared_ptr<model::Classifier> model,
                                                 const config::Train& config)
    : model_(std::move(model)),
      label_smoothing_(config.label_smoothing),
      recompute_(config.recompute) {}

LossSums ClassificationObjective::forward(const data::Batch& batch, const nn::Noise* noise) {
  const auto features = model_->pool({.ids = batch.source,
                                      .lengths = batch.source_lengths,
                                      .noise = noise,
                                      .recompute = recompute_});  // [B, D]
  return sums_of(nn::projected_loss(features, model_->output_weight(), model_->output_bias(),
                                    batch.labels, label_smoothing_));
}

}  // namespace heed::train
