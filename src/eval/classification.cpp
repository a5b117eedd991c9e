#include "eval/classification.h"

#include <numeric>
#include <stdexcept>

#include <spdlog/fmt/fmt.h>

namespace heed::eval {
namespace {

using Table = std::vector<std::vector<int64_t>>;

Table confusion_table(const std::vector<int64_t>& labels, const std::vector<int64_t>& predictions,
                      int64_t classes) {
  if (labels.size() != predictions.size()) {
    throw std::logic_error(fmt::format("classification_scores: {} labels, {} predictions",
                                       labels.size(), predictions.size()));
  }
  Table table(classes, std::vector<int64_t>(classes, 0));
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] < 0 || labels[i] >= classes || predictions[i] < 0 || predictions[i] >= classes) {
      throw std::logic_error(fmt::format("classification_scores: label {}, prediction {} of {}",
                                         labels[i], predictions[i], classes));
    }
    ++table[labels[i]][predictions[i]];
  }
  return table;
}

double quotient(double over, double under) { return under == 0.0 ? 0.0 : over / under; }

}  // namespace

Classification classification_scores(const std::vector<int64_t>& labels,
                                     const std::vector<int64_t>& predictions, int64_t classes) {
  Classification scores;
  scores.confusion = confusion_table(labels, predictions, classes);

  int64_t correct = 0;
  int64_t occurring = 0;
  double f1 = 0.0;
  for (int64_t c = 0; c < classes; ++c) {
    const auto& row = scores.confusion[c];
    const auto hits = row[c];
    const auto support = std::accumulate(row.begin(), row.end(), int64_t{0});
    int64_t predicted = 0;
    for (const auto& of_label : scores.confusion) predicted += of_label[c];

    scores.per_class.push_back({.precision = quotient(hits, predicted),
                                .recall = quotient(hits, support),
                                .f1 = quotient(2 * hits, support + predicted),
                                .support = support});
    correct += hits;
    occurring += support + predicted > 0 ? 1 : 0;
    f1 += scores.per_class.back().f1;
  }
  scores.accuracy = quotient(correct, labels.size());
  scores.macro_f1 = quotient(f1, occurring);
  return scores;
}

}  // namespace heed::eval
