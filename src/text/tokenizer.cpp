#include "text/tokenizer.h"

#include <utility>

#include <spdlog/fmt/fmt.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "text/sentencepiece_tokenizer.h"
#include "text/sentencepiece_trainer.h"
#include "text/vocabulary_tokenizer.h"

namespace heed::text {
namespace {

namespace fs = std::filesystem;

constexpr auto kFingerprints = "fingerprints.json";

bool uses_sentencepiece(const config::Tokenizer& config) {
  return config.type == "bpe" || config.type == "unigram";
}

/// A tokenizer of a run's directory, whose file must be the one that was saved.
std::shared_ptr<const Tokenizer> open_saved(const fs::path& directory, const std::string& name,
                                            const config::Tokenizer& config,
                                            const nlohmann::json& fingerprints) {
  const auto file = directory / (name + (uses_sentencepiece(config) ? ".model" : ".vocab"));
  try {
    if (fingerprints.value(name, nlohmann::json()) != nlohmann::json(checksum_of_file(file))) {
      throw CheckpointError(file.string() +
                            ": is not the vocabulary the model was trained with (its fingerprint "
                            "differs); restore the run's tokenizer directory");
    }
    return open_tokenizer(file, config.type, /*trained_here=*/config.model.empty());
  } catch (const DataError& error) {
    throw CheckpointError(error.what());
  }
}

}  // namespace

std::shared_ptr<const Tokenizer> open_tokenizer(const fs::path& file, const std::string& type,
                                                bool trained_here) {
  if (type == "bpe" || type == "unigram") {
    return std::make_shared<SentencePieceTokenizer>(read_file(file), trained_here, file.string());
  }
  return std::make_shared<VocabularyTokenizer>(type, Vocabulary::open(file));
}

std::shared_ptr<const Tokenizer> make_tokenizer(const config::Tokenizer& config,
                                                const std::vector<std::string>& lines,
                                                TrainingReport* report) {
  const auto& existing = uses_sentencepiece(config) ? config.model : config.vocab_file;
  if (!existing.empty()) return open_tokenizer(existing, config.type, /*trained_here=*/false);
  if (uses_sentencepiece(config)) {
    return std::make_shared<SentencePieceTokenizer>(train_sentencepiece(config, lines, report),
                                                    /*trained_here=*/true, "tokenizer");
  }
  if (report != nullptr) report->lines = std::ssize(lines);
  return std::make_shared<VocabularyTokenizer>(
      VocabularyTokenizer::train(config.type, lines, config.vocab_size, config.min_count));
}

void save_tokenizers(const Tokenizers& tokenizers, const fs::path& directory) {
  fs::create_directories(directory);
  auto fingerprints = nlohmann::json::object();
  const auto save = [&](const Tokenizer& tokenizer, const std::string& name) {
    tokenizer.save(directory, name);
    fingerprints[name] = checksum(tokenizer.file());
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
