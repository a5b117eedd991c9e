#include <memory>
#include <string>
#include <vector>

#include <spdlog/fmt/fmt.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "base/log.h"
#include "cli/commands.h"
#include "eval/bleu.h"
#include "eval/bleu_tokenize.h"
#include "eval/chrf.h"
#include "eval/pieces.h"
#include "text/lines.h"

namespace heed::cli {
namespace {

struct ScoreArgs {
  std::string hypothesis;
  std::string reference;
  eval::BleuOptions bleu;
  bool json = false;
};

std::vector<std::string> read_side(const std::string& file) {
  int64_t replaced = 0;
  auto lines = text::read_lines(file, &replaced);
  if (replaced > 0) {
    log::warning(fmt::format("{}: {} ill-formed UTF-8 sequences read as U+FFFD", file, replaced));
  }
  const auto pieces = eval::warn_of_pieces(lines, file);
  if (!pieces.empty()) log::warning(pieces);
  return lines;
}

/// One metric, as text and as JSON.
struct Result {
  std::string name;  // as a person writes it
  std::string key;
  double score = 0.0;
  std::string details;
  std::string signature;
};

std::vector<Result> score_lines(const std::vector<std::string>& hypotheses,
                                const std::vector<std::string>& references,
                                const eval::BleuOptions& options) {
  const auto bleu = eval::corpus_bleu(hypotheses, references, options);
  const auto& p = bleu.precisions;
  const auto details = fmt::format(
      " {:.1f}/{:.1f}/{:.1f}/{:.1f} (BP = {:.3f} hyp_len = {} ref_len = {})", p[0], p[1], p[2],
      p[3], bleu.brevity_penalty, bleu.hypothesis_words, bleu.reference_words);
  const eval::ChrfOptions chrf{.word_order = 0, .lowercase = options.lowercase};
  const eval::ChrfOptions chrf_pp{.word_order = 2, .lowercase = options.lowercase};
  return {
      {"BLEU", "bleu", bleu.score, details, eval::bleu_signature(options)},
      {"chrF2", "chrf", eval::corpus_chrf(hypotheses, references, chrf), "",
       eval::chrf_signature(chrf)},
      {"chrF2++", "chrf_pp", eval::corpus_chrf(hypotheses, references, chrf_pp), "",
       eval::chrf_signature(chrf_pp)},
  };
}

std::string as_json(const std::vector<Result>& results, std::size_t sentences) {
  nlohmann::ordered_json json;
  for (const auto& result : results) {
    json[result.key] = result.score;
    json[result.key + "_signature"] = result.signature;
  }
  json["sentences"] = sentences;
  return json.dump() + "\n";
}

std::string as_text(const std::vector<Result>& results) {
  std::string text;
  for (const auto& result : results) {
    text += fmt::format("{}|{} = {:.2f}{}\n", result.name, result.signature, result.score,
                        result.details);
  }
  return text;
}

void score(const ScoreArgs& args) {
  if (args.hypothesis == "-" && args.reference == "-") {
    throw ConfigError("--reference: standard input is read for --hypothesis already; name a file");
  }
  const auto hypotheses = read_side(args.hypothesis);
  const auto references = read_side(args.reference);
  if (hypotheses.size() != references.size()) {
    throw DataError(fmt::format("{}: {} lines, but {} has {}; both need one line a sentence",
                                args.hypothesis, hypotheses.size(), args.reference,
                                references.size()));
  }
  const auto results = score_lines(hypotheses, references, args.bleu);

  OutputFile output("-");
  output.write(args.json ? as_json(results, hypotheses.size()) : as_text(results));
  output.commit();
}

}  // namespace

void add_score(CLI::App& app) {
  auto args = std::make_shared<ScoreArgs>();
  auto* command = app.add_subcommand("score", "Score translations: BLEU and chrF, as sacreBLEU");
  command->add_option("--hypothesis", args->hypothesis, "Translations, a line each; - is stdin")
      ->required();
  command->add_option("--reference", args->reference, "What is right, a line each; - is stdin")
      ->required();
  command
      ->add_option("--tokenize", args->bleu.tokenize,
                   "How BLEU counts words: 13a, intl, char, zh "
                   "or none (a word is what spaces part)")
      ->check(CLI::IsMember(eval::bleu_tokenizers()))
      ->capture_default_str();
  command->add_flag("--lowercase", args->bleu.lowercase, "Ignore case");
  command->add_flag("--json", args->json, "Print one JSON object");
  command->callback([args] { score(*args); });
}

}  // namespace heed::cli
