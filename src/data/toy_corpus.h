#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace heed::data {

struct CorpusFile {
  std::string name;
  std::string content;
};

/// The corpora that heed makes itself: copy, reverse, toy_translation, toy_classification.
std::vector<std::string> toy_corpora();

/// The files of one: train, valid and test, the same bytes on every machine. Throws ConfigError,
/// naming the nearest, for a name that is none.
std::vector<CorpusFile> make_toy_corpus(const std::string& name);

/// Puts them into a directory, which is made; each file is whole or as it was. Throws
/// std::filesystem::filesystem_error.
void write_toy_corpus(const std::string& name, const std::filesystem::path& directory);

}  // namespace heed::data
