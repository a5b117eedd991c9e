#include "text/tokenizer.h"

#include <utility>

#include <spdlog/fmt/fmt.h>
#include <nlohmann/json.hpp>

#include "base/counted.h"
#include "base/error.h"
#include "base/files.h"
#include "text/merge_codes.h"
#include "text/normalize.h"
#include "text/normalized_tokenizer.h"
#include "text/sentencepiece_tokenizer.h"
#include "text/sentencepiece_trainer.h"
#include "text/subword_nmt_tokenizer.h"
#include "text/vocabulary.h"
#include "text/vocabulary_tokenizer.h"

namespace heed::text {
namespace {

namespace fs = std::filesystem;

constexpr auto kFingerprints = "fingerprints.json";

constexpr auto kVocabulary = ".vocab";

std::string main_suffix(const config::Tokenizer& config) {
  if (config.sentencepiece()) return ".model";
  return config.type == "subword_nmt" ? ".codes" : kVocabulary;
}

/// Beside the fingerprint of each tokenizer: how many pieces it had.
std::string pieces_key(const std::string& name) { return name + ".pieces"; }

bool as_saved(const fs::path& file, const std::string& name, const nlohmann::json& fingerprints) {
  return fingerprints.value(name, nlohmann::json()) == nlohmann::json(checksum_of_file(file));
}

[[noreturn]] void throw_other(const fs::path& file, const std::string& difference) {
  throw CheckpointError(
      fmt::format("{}: is not the vocabulary the model was trained with ({}); restore the run's "
                  "tokenizer directory",
                  file.string(), difference));
}

/// What tells another tokenizer from the one that was saved.
std::string difference(const Tokenizer& tokenizer, const std::string& name,
                       const nlohmann::json& fingerprints) {
  const auto saved = fingerprints.value(pieces_key(name), nlohmann::json());
  if (!saved.is_number_integer() || saved == tokenizer.size()) return "its fingerprint differs";
  return fmt::format("{} pieces, not {}", tokenizer.size(), saved.get<int64_t>());
}

/// A tokenizer of a run's directory, whose files must be those that were saved.
std::shared_ptr<const Tokenizer> open_saved(const fs::path& directory, const std::string& name,
                                            const config::Tokenizer& config,
                                            const nlohmann::json& fingerprints) {
  const auto suffix = main_suffix(config);
  try {
    const auto file = directory / (name + suffix);
    const auto vocabulary = directory / (name + kVocabulary);
    const bool same = as_saved(file, name, fingerprints);
    if (config.type == "subword_nmt" && !as_saved(vocabulary, name + kVocabulary, fingerprints)) {
      throw_other(vocabulary, "its fingerprint differs");
    }
    auto tokenizer = open_tokenizer(file, config, /*trained_here=*/config.model.empty());
    if (!same) throw_other(file, difference(*tokenizer, name, fingerprints));
    return tokenizer;
  } catch (const DataError& error) {
    throw CheckpointError(error.what());
  }
}

std::shared_ptr<const MergeCodes> open_codes(const fs::path& file) {
  return std::make_shared<MergeCodes>(read_file(file), file.string());
}

SubwordNmtTokenizer::Options subword_options(const config::Tokenizer& config) {
  SubwordNmtTokenizer::Options options{.dropout = config.sampling};
  if (!config.joiner.empty()) options.joiner = config.joiner;
  return options;
}

std::shared_ptr<const Tokenizer> normalized(std::shared_ptr<const Tokenizer> tokenizer,
                                            const config::Tokenizer& config) {
  const auto normalizer = Normalizer::of(config);
  if (!normalizer.active()) return tokenizer;
  return std::make_shared<NormalizedTokenizer>(std::move(tokenizer), normalizer);
}

std::shared_ptr<const Tokenizer> open_existing(const config::Tokenizer& config) {
  if (config.type != "subword_nmt") {
    return open_tokenizer(config.sentencepiece() ? config.model : config.vocab_file, config,
                          /*trained_here=*/false);
  }
  return normalized(
      std::make_shared<SubwordNmtTokenizer>(
          open_codes(config.codes), Vocabulary::open(config.vocab_file), subword_options(config)),
      config);
}

/// Without normalization, which the lines have behind them.
std::shared_ptr<const Tokenizer> train(const config::Tokenizer& config,
                                       const std::vector<std::string>& lines,
                                       TrainingReport& report) {
  if (config.sentencepiece()) {
    return std::make_shared<SentencePieceTokenizer>(train_sentencepiece(config, lines, &report),
                                                    /*trained_here=*/true, "tokenizer",
                                                    config.sampling);
  }
  report.lines = std::ssize(lines);
  if (config.type == "subword_nmt") {
    return std::make_shared<SubwordNmtTokenizer>(
        SubwordNmtTokenizer::train(open_codes(config.codes), lines, config.vocab_size,
                                   config.min_count, subword_options(config)));
  }
  return std::make_shared<VocabularyTokenizer>(VocabularyTokenizer::train(
      config.type, lines, config.vocab_size, config.min_count, config.joiner));
}

}  // namespace

std::vector<int64_t> Tokenizer::sample(const std::string& line, Random&) const {
  return encode(line);
}

std::vector<std::string> remarks(const TrainingReport& report) {
  std::vector<std::string> remarks;
  if (report.skipped_lines > 0) {
    remarks.push_back(fmt::format("{} ({} bytes) left out, longer than {} bytes",
                                  counted(report.skipped_lines, "line"), report.skipped_bytes,
                                  kLongestLine));
  }
  if (report.sampled_lines > 0) {
    remarks.push_back(fmt::format("learned from {} of {}, drawn at random", report.sampled_lines,
                                  counted(report.lines, "line")));
  }
  return remarks;
}

std::shared_ptr<const Tokenizer> open_tokenizer(const fs::path& file,
                                                const config::Tokenizer& config,
                                                bool trained_here) {
  if (config.sentencepiece()) {
    const auto tokenizer = std::make_shared<SentencePieceTokenizer>(read_file(file), trained_here,
                                                                    file.string(), config.sampling);
    return trained_here ? normalized(tokenizer, config) : tokenizer;
  }
  if (config.type == "subword_nmt") {
    auto list = file;
    list.replace_extension(kVocabulary);
    return normalized(std::make_shared<SubwordNmtTokenizer>(
                          open_codes(file), Vocabulary::open(list), subword_options(config)),
                      config);
  }
  return normalized(
      std::make_shared<VocabularyTokenizer>(config.type, Vocabulary::open(file), config.joiner),
      config);
}

std::shared_ptr<const Tokenizer> make_tokenizer(const config::Tokenizer& config,
                                                const std::vector<std::string>& lines,
                                                TrainingReport* report) {
  if (!config.model.empty() || !config.vocab_file.empty()) return open_existing(config);
  TrainingReport own;
  auto& counts = report != nullptr ? *report : own;
  const auto normalizer = Normalizer::of(config);
  if (!normalizer.active()) return train(config, lines, counts);
  std::vector<std::string> read;
  for (const auto& line : lines) read.push_back(normalizer(line));
  return normalized(train(config, read, counts), config);
}

void save_tokenizers(const Tokenizers& tokenizers, const fs::path& directory) {
  fs::create_directories(directory);
  auto fingerprints = nlohmann::json::object();
  const auto save = [&](const Tokenizer& tokenizer, const std::string& name) {
    tokenizer.save(directory, name);
    for (bool first = true; const auto& file : tokenizer.files()) {
      fingerprints[first ? name : name + file.suffix] = checksum(file.bytes);
      first = false;
    }
    fingerprints[pieces_key(name)] = tokenizer.size();
  };
  if (tokenizers.source == tokenizers.target) {
    save(*tokenizers.source, "shared");
  } else {
    save(*tokenizers.source, "source");
    if (tokenizers.target) save(*tokenizers.target, "target");
  }
  replace_file(directory / kFingerprints, fingerprints.dump(2) + "\n");
}

Tokenizers open_tokenizers(const fs::path& directory, const config::Tokenizer& config) {
  const auto file = directory / kFingerprints;
  nlohmann::json fingerprints;
  try {
    fingerprints = nlohmann::json::parse(read_file(file));
  } catch (const DataError& error) {
    throw CheckpointError(error.what());
  } catch (const nlohmann::json::exception&) {
    throw CheckpointError(file.string() + ": is no JSON; restore the run's tokenizer directory");
  }
  if (!fingerprints.is_object()) throw CheckpointError(file.string() + ": is no JSON object");

  const auto open = [&](const std::string& name) {
    return open_saved(directory, name, config, fingerprints);
  };
  if (fingerprints.contains("shared")) {
    const auto shared = open("shared");
    return {shared, shared};
  }
  return {open("source"), fingerprints.contains("target") ? open("target") : nullptr};
}

std::string fingerprint(const Tokenizer& tokenizer) {
  std::string pieces;
  for (int64_t id = 0; id < tokenizer.size(); ++id) {
    const auto piece = tokenizer.piece(id);
    pieces += fmt::format("{}:{}", piece.size(), piece);
  }
  return checksum(pieces);
}

}  // namespace heed::text
