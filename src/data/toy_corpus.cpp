#include "data/toy_corpus.h"

#include <algorithm>

#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>

#include "base/error.h"
#include "base/files.h"
#include "base/nearest.h"
#include "data/toy_classification.h"
#include "data/toy_letters.h"
#include "data/toy_translation.h"

namespace heed::data {
namespace {

struct Maker {
  std::string name;
  std::vector<CorpusFile> (*make)();
};

const std::vector<Maker>& makers() {
  static const std::vector<Maker> table = {
      {"copy", make_copy},
      {"reverse", make_reverse},
      {"toy_translation", make_toy_translation},
      {"toy_classification", make_toy_classification},
  };
  return table;
}

}  // namespace

std::vector<std::string> toy_corpora() {
  std::vector<std::string> names;
  for (const auto& maker : makers()) names.push_back(maker.name);
  return names;
}

std::vector<CorpusFile> make_toy_corpus(const std::string& name) {
  const auto maker = std::ranges::find(makers(), name, &Maker::name);
  if (maker != makers().end()) return maker->make();
  const auto known = toy_corpora();
  throw ConfigError(fmt::format("{}: unknown corpus; did you mean '{}'? There are {}", name,
                                nearest(name, known), fmt::join(known, ", ")));
}

void write_toy_corpus(const std::string& name, const std::filesystem::path& directory) {
  const auto files = make_toy_corpus(name);
  std::filesystem::create_directories(directory);
  for (const auto& file : files) replace_file(directory / file.name, file.content);
}

}  // namespace heed::data
