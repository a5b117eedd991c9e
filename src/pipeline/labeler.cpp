#include "pipeline/labeler.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <utility>

#include <c10/core/InferenceMode.h>

#include "pipeline/source_batch.h"
#include "pipeline/workers.h"

namespace heed::pipeline {

std::vector<int64_t> Labeling::ranked() const {
  std::vector<int64_t> labels(probabilities.size());
  std::iota(labels.begin(), labels.end(), 0);
  std::ranges::stable_sort(labels, std::greater{},
                           [&](int64_t label) { return probabilities[label]; });
  return labels;
}

namespace {

/// Of the parts of one line, each counting the same.
Labeling mean_of(std::span<const Labeling> parts) {
  auto all = parts.front();
  all.source.parts = std::ssize(parts);
  for (const auto& part : parts.subspan(1)) {
    append_part(part.source, all.source);
    for (std::size_t label = 0; label < all.probabilities.size(); ++label) {
      all.probabilities[label] += part.probabilities[label];
    }
  }
  for (auto& probability : all.probabilities) probability /= static_cast<double>(parts.size());
  return all;
}

}  // namespace

torch::Tensor label_probabilities(const torch::Tensor& logits) {
  return logits.to(torch::kFloat).softmax(-1).cpu().contiguous();
}

Labeler::Labeler(Parts parts, const config::Decode& options, int64_t workers)
    : parts_(std::move(parts)),
      reader_(parts_.tokenizers.source, parts_.data),
      options_(options),
      workers_(workers > 0 ? workers : default_workers(parts_.device.is_cpu())) {}

Labeler::Labeler(const Run& run, const config::Decode& options, int64_t workers, Progress done)
    : Labeler({.model = run.classifier,
               .tokenizers = run.tokenizers,
               .device = run.device,
               .data = run.config.data,
               .done = std::move(done)},
              options, workers) {}

std::vector<Labeling> Labeler::label(const std::vector<std::string>& lines,
                                     const Origin& origin) const {
  const auto rule = LengthRule::of(parts_.data, options_, /*translate=*/false);
  if (rule.overlong != "split") return label_each(lines, rule, origin);

  const auto parts = parts_of(reader_, lines, rule);
  const auto found = label_each(parts.texts, rule, origin);
  std::vector<Labeling> out;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    out.push_back(
        mean_of(std::span(found).subspan(parts.first[i], parts.first[i + 1] - parts.first[i])));
  }
  return out;
}

std::vector<Labeling> Labeler::label_each(const std::vector<std::string>& lines,
                                          const LengthRule& rule, const Origin& origin) const {
  const auto encoded = encode_lines(reader_, lines, rule, origin);
  std::vector<int64_t> lengths;
  for (const auto& line : encoded) lengths.push_back(std::ssize(line.ids));

  std::vector<Labeling> out(lines.size());
  const auto batches = batches_by_length(lengths, options_.batch_size, workers_);
  run_works(std::ssize(batches), workers_, [&](int64_t i) {
    const c10::InferenceMode inference;
    const auto features = parts_.model->pool(source_batch(encoded, batches[i], parts_.device));
    const auto probabilities = label_probabilities(parts_.model->logits(features));  // [B, classes]
    const auto* row = probabilities.const_data_ptr<float>();
    for (const auto place : batches[i]) {
      out[place].probabilities.assign(row, row + probabilities.size(1));
      row += probabilities.size(1);
    }
    if (parts_.done) parts_.done(std::ssize(batches[i]));
  });
  for (std::size_t i = 0; i < lines.size(); ++i) out[i].source = encoded[i];
  return out;
}

}  // namespace heed::pipeline
