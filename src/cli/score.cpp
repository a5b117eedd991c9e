#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/counted.h"
#include "base/error.h"
#include "base/files.h"
#include "base/log.h"
#include "cli/commands.h"
#include "cli/ill_formed.h"
#include "cli/score_report.h"
#include "eval/bleu.h"
#include "eval/bleu_tokenize.h"
#include "eval/bootstrap.h"
#include "eval/chrf.h"
#include "eval/pieces.h"
#include "eval/ter.h"
#include "text/lines.h"

namespace heed::cli {
namespace {

struct ScoreArgs {
  std::string hypothesis;
  std::vector<std::string> references;
  std::string paired;  // other translations; empty: none
  std::vector<std::string> metrics = {"bleu", "chrf"};
  eval::BleuOptions bleu;
  std::optional<int> word_order;  // none: chrF2 and chrF2++
  eval::TerOptions ter;
  std::optional<int64_t> confidence;  // resamples
  uint64_t seed = eval::Resampling{}.seed;
  bool sentence = false;
  bool json = false;

  bool has(const std::string& metric) const {
    return std::ranges::find(metrics, metric) != metrics.end();
  }
};

using Lines = std::vector<std::string>;

/// What is scored: all of the same number of lines.
struct Texts {
  Lines hypotheses;
  std::vector<Lines> references;  // of each file
  Lines baseline;                 // --paired
};

struct NamedMetric {
  std::string key;
  std::unique_ptr<eval::Metric> metric;
};

void refuse_stdin_twice(const ScoreArgs& args) {
  auto others = args.references;
  others.push_back(args.paired);
  const auto more = std::ranges::count(others, "-");
  if (more + (args.hypothesis == "-" ? 1 : 0) < 2) return;
  throw ConfigError(args.paired == "-"
                        ? "--paired: standard input is read for another option already; name a file"
                        : "--reference: standard input is read for --hypothesis already; name a "
                          "file");
}

Lines read_side(const std::string& file) {
  int64_t replaced = 0;
  auto lines = text::read_lines(file, &replaced);
  warn_if_any(ill_formed_text(file, replaced));
  warn_if_any(eval::warn_of_pieces(lines, file));
  warn_if_any(eval::warn_of_tokens(lines, file));
  return lines;
}

/// Throws DataError where the number of lines isn't that of the hypotheses.
Lines read_other(const std::string& file, const Texts& texts, const ScoreArgs& args) {
  auto lines = read_side(file);
  if (lines.size() != texts.hypotheses.size()) {
    throw DataError(fmt::format("{}: {}, but {} has {}; both need one line a sentence",
                                args.hypothesis, counted(std::ssize(texts.hypotheses), "line"),
                                file, lines.size()));
  }
  return lines;
}

Texts read_texts(const ScoreArgs& args) {
  refuse_stdin_twice(args);
  Texts texts{.hypotheses = read_side(args.hypothesis), .references = {}, .baseline = {}};
  for (const auto& file : args.references) {
    texts.references.push_back(read_other(file, texts, args));
  }
  if (!args.paired.empty()) texts.baseline = read_other(args.paired, texts, args);
  return texts;
}

std::vector<NamedMetric> chosen_metrics(const ScoreArgs& args) {
  std::vector<NamedMetric> metrics;
  if (args.has("bleu")) {
    auto options = args.bleu;
    options.effective_order = args.sentence;
    metrics.push_back({"bleu", std::make_unique<eval::BleuMetric>(options)});
  }
  for (const int order : {0, 2}) {
    if (!args.has("chrf") || args.word_order.value_or(order) != order) continue;
    const eval::ChrfOptions options{.word_order = order, .lowercase = args.bleu.lowercase};
    metrics.push_back(
        {order == 0 ? "chrf" : "chrf_pp", std::make_unique<eval::ChrfMetric>(options)});
  }
  if (args.has("ter")) metrics.push_back({"ter", std::make_unique<eval::TerMetric>(args.ter)});
  return metrics;
}

/// What sacreBLEU prints behind BLEU.
std::string details(const eval::Metric& metric, const std::vector<double>& sums) {
  const auto* of_bleu = dynamic_cast<const eval::BleuMetric*>(&metric);
  if (of_bleu == nullptr) return "";
  const auto bleu = of_bleu->details(sums);
  const auto& p = bleu.precisions;
  const auto words = static_cast<double>(bleu.reference_words);
  const auto ratio = words > 0 ? static_cast<double>(bleu.hypothesis_words) / words : 0.0;
  return fmt::format(
      " {:.1f}/{:.1f}/{:.1f}/{:.1f} (BP = {:.3f} ratio = {:.3f} hyp_len = {} ref_len = {})", p[0],
      p[1], p[2], p[3], bleu.brevity_penalty, ratio, bleu.hypothesis_words, bleu.reference_words);
}

MetricResult score_corpus(const NamedMetric& named, const Texts& texts, const ScoreArgs& args,
                          const eval::Resampling* resampling) {
  const auto& metric = *named.metric;
  const auto score = [&](const eval::Counts& counts) { return metric.score(sum(metric, counts)); };
  const auto counts = eval::count_lines(metric, texts.hypotheses, texts.references);
  MetricResult result{.key = named.key,
                      .name = metric.name(),
                      .system = {.score = score(counts)},
                      .details = details(metric, sum(metric, counts)),
                      .signature = signature(metric, texts.references.size(), resampling)};
  if (resampling == nullptr) return result;

  const eval::Bootstrap system(metric, counts, *resampling);
  result.system.confidence = system.confidence();
  if (args.paired.empty()) return result;

  const auto others = eval::count_lines(metric, texts.baseline, texts.references);
  const eval::Bootstrap baseline(metric, others, *resampling);
  result.baseline = {.score = score(others), .confidence = baseline.confidence()};
  result.p_value =
      paired_p_value(baseline, system, std::abs(result.baseline->score - result.system.score));
  return result;
}

std::string corpus_report(const ScoreArgs& args, const Texts& texts,
                          const std::vector<NamedMetric>& metrics) {
  ScoreReport report{.results = {},
                     .sentences = std::ssize(texts.hypotheses),
                     .system = args.hypothesis,
                     .baseline = args.paired};
  const bool resample = args.confidence || !args.paired.empty();
  if (resample && texts.hypotheses.empty()) {
    throw DataError(args.hypothesis + ": no line; resampling needs one or more");
  }
  report.resampling = {.samples = args.confidence.value_or(report.resampling.samples),
                       .seed = args.seed};
  for (const auto& named : metrics) {
    report.results.push_back(
        score_corpus(named, texts, args, resample ? &report.resampling : nullptr));
  }
  if (args.json) return score_json(report);
  return args.paired.empty() ? score_lines(report) : score_table(report);
}

/// A line a sentence: its scores, or an object of them.
std::string sentence_report(const ScoreArgs& args, const Texts& texts,
                            const std::vector<NamedMetric>& metrics) {
  std::vector<eval::Counts> counts;
  for (const auto& [key, metric] : metrics) {
    counts.push_back(eval::count_lines(*metric, texts.hypotheses, texts.references));
    log::info(fmt::format("column {}: {}|{}", counts.size(), metric->name(),
                          signature(*metric, texts.references.size())));
  }
  std::string text;
  for (std::size_t line = 0; line < texts.hypotheses.size(); ++line) {
    nlohmann::ordered_json json;
    std::string columns;
    for (std::size_t m = 0; m < metrics.size(); ++m) {
      const auto score = metrics[m].metric->score(counts[m][line]);
      json[metrics[m].key] = score;
      columns += fmt::format("{}{:.2f}", m == 0 ? "" : "\t", score);
    }
    text += (args.json ? json.dump() : columns) + "\n";
  }
  return text;
}

/// What no metric that was asked for reads is not passed over in silence.
void refuse_unread(const CLI::App& command, const ScoreArgs& args) {
  const auto refuse = [&](const char* option, bool read, const std::string& why) {
    if (read || command.count(option) == 0) return;
    throw ConfigError(fmt::format("{}: {}; leave it out", option, why));
  };
  const auto names = fmt::format("--metric is {}", fmt::join(args.metrics, ","));
  refuse("--tokenize", args.has("bleu"), "only bleu reads it, and " + names);
  refuse("--word-order", args.has("chrf"), "only chrf reads it, and " + names);
  refuse("--lowercase", args.has("bleu") || args.has("chrf"),
         "ter ignores case unless --ter-case-sensitive is given");
  for (const auto* option :
       {"--ter-normalized", "--ter-no-punct", "--ter-asian-support", "--ter-case-sensitive"}) {
    refuse(option, args.has("ter"), "only ter reads it, and " + names);
  }
  refuse("--seed", args.confidence.has_value() || !args.paired.empty(),
         "nothing is drawn without --confidence or --paired");
}

void score(const CLI::App& command, const ScoreArgs& args) {
  refuse_unread(command, args);
  const auto texts = read_texts(args);
  const auto metrics = chosen_metrics(args);
  const auto report =
      args.sentence ? sentence_report(args, texts, metrics) : corpus_report(args, texts, metrics);
  OutputFile output("-");
  output.write(report);
  output.commit();
}

void add_metric_options(CLI::App& command, ScoreArgs& args) {
  command.add_option("--metric", args.metrics, "Any of bleu, chrf and ter, with commas between")
      ->delimiter(',')
      ->check(CLI::IsMember({"bleu", "chrf", "ter"}))
      ->default_str("bleu,chrf");
  command
      .add_option("--tokenize", args.bleu.tokenize,
                  "How BLEU counts words: 13a, intl, char, zh "
                  "or none (a word is what spaces part)")
      ->check(CLI::IsMember(eval::bleu_tokenizers()))
      ->capture_default_str();
  command.add_flag("--lowercase", args.bleu.lowercase, "Ignore case in BLEU and chrF");
  command
      .add_option("--word-order", args.word_order,
                  "0: chrF2 alone; 2: chrF2++ alone, which counts words and word pairs too [both]")
      ->check(CLI::IsMember({0, 2}));
  command.add_flag("--ter-normalized", args.ter.normalized, "Part words and punctuation in TER");
  command.add_flag("--ter-no-punct", args.ter.no_punct, "Leave punctuation out of TER");
  command.add_flag("--ter-asian-support", args.ter.asian_support,
                   "Let these two act on CJK text too");
  command.add_flag("--ter-case-sensitive", args.ter.case_sensitive, "Heed case in TER");
}

}  // namespace

void add_score(CLI::App& app) {
  auto args = std::make_shared<ScoreArgs>();
  auto* command =
      app.add_subcommand("score", "Score translations: BLEU, chrF and TER, as sacreBLEU");
  command->add_option("--hypothesis", args->hypothesis, "Translations, a line each; - is stdin")
      ->required();
  command
      ->add_option("--reference", args->references,
                   "What is right, a line each; - is stdin; may be given several times")
      ->allow_extra_args(false)
      ->required();
  add_metric_options(*command, *args);
  auto* paired = command->add_option(
      "--paired", args->paired,
      "Other translations to compare with, a line each: paired bootstrap resampling");
  auto* confidence =
      command
          ->add_option("--confidence", args->confidence,
                       "Resamples for 95 % intervals, 2 or more [none; with --paired 1000]")
          ->check(CLI::Range(2, 1 << 20));
  command->add_option("--seed", args->seed, "Which resamples are drawn")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command
      ->add_flag("--sentence", args->sentence,
                 "Print the scores of each sentence, with tabs between; BLEU over the orders that "
                 "a sentence has")
      ->excludes(paired)
      ->excludes(confidence);
  command->add_flag("--json", args->json, "Print one JSON object; with --sentence one a line");
  command->callback([command, args] { score(*command, *args); });
}

}  // namespace heed::cli
