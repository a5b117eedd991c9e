#include "cli/score_report.h"

#include <spdlog/fmt/fmt.h>
#include <nlohmann/json.hpp>

namespace heed::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kSignificant = 0.05;

void add(Json& json, const std::string& key, const SideScore& side) {
  json[key] = side.score;
  if (!side.confidence) return;
  json[key + "_mean"] = side.confidence->mean;
  json[key + "_ci"] = side.confidence->interval;
}

Json baseline_json(const ScoreReport& report) {
  Json json{{"file", report.baseline}};
  for (const auto& result : report.results) add(json, result.key, *result.baseline);
  return json;
}

/// 35.12 (35.10 ± 1.02)
std::string cell(const SideScore& side) {
  return fmt::format("{:6.2f} ({:.2f} ± {:.2f})", side.score, side.confidence->mean,
                     side.confidence->interval);
}

/// Equal scores get sacreBLEU's lowest p-value and differ by nothing.
bool significant(const MetricResult& result) {
  return result.p_value < kSignificant && result.system.score != result.baseline->score;
}

std::string row(const MetricResult& result) {
  return fmt::format("{:<8} {:<24} {:<24} {:>+9.2f}  {:.4f}{}\n", result.name,
                     cell(*result.baseline), cell(result.system),
                     result.system.score - result.baseline->score, result.p_value,
                     significant(result) ? " *" : "");
}

}  // namespace

std::string score_json(const ScoreReport& report) {
  Json json;
  for (const auto& result : report.results) {
    add(json, result.key, result.system);
    json[result.key + "_signature"] = result.signature;
    if (result.baseline) json[result.key + "_p_value"] = result.p_value;
  }
  const auto& first = report.results.front();
  if (first.baseline) json["baseline"] = baseline_json(report);
  if (first.system.confidence) {
    json["samples"] = report.resampling.samples;
    json["seed"] = report.resampling.seed;
  }
  json["sentences"] = report.sentences;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string score_lines(const ScoreReport& report) {
  std::string text;
  for (const auto& result : report.results) {
    text += fmt::format("{}|{} = {:.2f}", result.name, result.signature, result.system.score);
    if (const auto& confidence = result.system.confidence) {
      text += fmt::format(" (μ = {:.2f} ± {:.2f})", confidence->mean, confidence->interval);
    }
    text += result.details + "\n";
  }
  return text;
}

std::string score_table(const ScoreReport& report) {
  auto text =
      fmt::format("{:<8} {:<24} {:<24} {:>9}  {}\n", "", "baseline", "system", "change", "p");
  for (const auto& result : report.results) text += row(result);
  text += fmt::format("\nbaseline: {}\nsystem:   {}\n", report.baseline, report.system);
  text += fmt::format(
      "{} sentences, {} paired bootstrap resamples, seed {}: mean ± half of the\n"
      "95 % interval; p: how probable such a difference is by chance, * below {}\n\n",
      report.sentences, report.resampling.samples, report.resampling.seed, kSignificant);
  for (const auto& result : report.results) {
    text += fmt::format("{}\n{}\n", result.name, result.signature);
  }
  return text;
}

}  // namespace heed::cli
