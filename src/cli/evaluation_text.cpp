#include "cli/evaluation_text.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include <spdlog/fmt/fmt.h>

#include "base/shorten.h"
#include "cli/breakdown.h"

namespace heed::cli {
namespace {

using config::Json;

constexpr std::size_t kWidth = 80;
constexpr std::size_t kWidestLabel = 30;
constexpr std::size_t kCountWidth = 6;        // of a cell of the confusion matrix
constexpr std::size_t kConfusionsShown = 10;  // where the matrix is too wide

bool is_percentage(const std::string& key) {
  return key == "token_accuracy" || key == "exact_match" || key == "accuracy" ||
         key == "top_k_accuracy" || key == "confidence";
}

bool is_metric(const std::string& key) { return key == "bleu" || key == "chrf" || key == "ter"; }

std::string number(const std::string& key, const Json& json) {
  if (json.is_number_integer()) return fmt::format("{}", json.get<int64_t>());
  if (!json.is_number()) return json.dump();
  const auto value = json.get<double>();
  if (is_percentage(key)) return fmt::format("{:.2f} %", 100 * value);
  return is_metric(key) ? fmt::format("{:.2f}", value) : fmt::format("{:.4f}", value);
}

std::string numbers(const Json& scores) {
  std::string text, signatures;
  for (const auto& [key, value] : scores.items()) {
    if (value.is_number() || value.is_null()) {
      text += fmt::format("{:<14}  {}\n", key, number(key, value));
    } else if (value.is_string()) {
      const auto metric = key.substr(0, key.find('_'));
      signatures += fmt::format("{:<5} {}\n", metric, value.get_ref<const std::string&>());
    }
  }
  return text + (signatures.empty() ? "" : "\n") + signatures;
}

std::vector<std::string> shown_labels(const Json& scores) {
  std::vector<std::string> labels;
  for (const auto& label : scores["labels"])
    labels.push_back(shortened(label.get<std::string>(), kWidestLabel));
  return labels;
}

std::size_t widest(const std::vector<std::string>& labels) {
  std::size_t width = 5;
  for (const auto& label : labels) width = std::max(width, width_of(label));
  return width;
}

/// A line a class.
std::string class_table(const Json& scores, const std::vector<std::string>& labels) {
  const auto width = widest(labels);
  auto text = fmt::format("\n{:<{}}  precision  recall      f1  support\n", "label", width);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto& score = scores["per_class"][scores["labels"][i].get<std::string>()];
    text += fmt::format("{:<{}}  {:9.4f}  {:6.4f}  {:6.4f}  {:7}\n", labels[i], width,
                        score["precision"].get<double>(), score["recall"].get<double>(),
                        score["f1"].get<double>(), score["support"].get<int64_t>());
  }
  return text;
}

/// A row a label, and a column for each label that was predicted, in the same order.
std::string confusion_matrix(const Json& confusion, const std::vector<std::string>& labels) {
  const auto width = widest(labels);
  auto text = fmt::format("\n{:<{}}  predicted as, in the same order\n", "label", width);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    text += fmt::format("{:<{}}  ", labels[i], width);
    for (const auto& count : confusion[i]) {
      text += fmt::format("{:{}}", count.get<int64_t>(), kCountWidth);
    }
    text += "\n";
  }
  return text;
}

/// The mistakes made most often.
std::string confusion_list(const Json& confusion, const std::vector<std::string>& labels) {
  std::vector<std::tuple<int64_t, std::size_t, std::size_t>> mistakes;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    for (std::size_t j = 0; j < labels.size(); ++j) {
      const auto count = confusion[i][j].get<int64_t>();
      if (i != j && count > 0) mistakes.emplace_back(-count, i, j);
    }
  }
  std::ranges::sort(mistakes);
  mistakes.resize(std::min(mistakes.size(), kConfusionsShown));

  const auto width = widest(labels);
  auto text = fmt::format("\n{:<{}}  {:<{}}  texts, the most frequent mistakes\n", "label", width,
                          "predicted as", std::max<std::size_t>(width, 12));
  for (const auto& [count, i, j] : mistakes) {
    text += fmt::format("{:<{}}  {:<{}}  {:5}\n", labels[i], width, labels[j],
                        std::max<std::size_t>(width, 12), -count);
  }
  return text;
}

std::string classes(const Json& scores) {
  const auto labels = shown_labels(scores);
  const bool fits = widest(labels) + 2 + kCountWidth * labels.size() <= kWidth;
  const auto& confusion = scores["confusion"];
  return class_table(scores, labels) +
         (fits ? confusion_matrix(confusion, labels) : confusion_list(confusion, labels));
}

}  // namespace

std::string evaluation_text(const Json& scores) {
  auto text = numbers(scores);
  if (scores.contains("per_class")) text += classes(scores);
  if (scores.contains("breakdown")) text += breakdown_text(scores["breakdown"]);
  return text;
}

}  // namespace heed::cli
