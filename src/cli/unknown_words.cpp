#include "cli/unknown_words.h"

#include <filesystem>
#include <functional>
#include <string_view>
#include <unordered_set>
#include <utility>

#include <spdlog/fmt/fmt.h>

#include "base/error.h"
#include "base/log.h"
#include "base/utf8.h"
#include "data/table.h"
#include "text/lines.h"
#include "text/normalize.h"
#include "text/split.h"

namespace heed::cli {
namespace {

/// Looks up parts of a line without a copy of each.
struct WordHash {
  using is_transparent = void;
  std::size_t operator()(std::u32string_view word) const {
    return std::hash<std::u32string_view>()(word);
  }
};
using Words = std::unordered_set<std::u32string, WordHash, std::equal_to<>>;

class WordReader {
 public:
  explicit WordReader(const config::Tokenizer& config)
      : config_(config), normalizer_(text::Normalizer::of(config)) {}

  template <typename Take>
  void each(std::string line, Take take) const {
    line = text::without_joiner(config_, std::move(line));
    if (normalizer_.active()) line = normalizer_(line);
    const auto characters = code_points(line);
    for (const auto& [begin, end] : split_(characters)) {
      take(std::u32string_view(characters).substr(begin, end - begin));
    }
  }

 private:
  const config::Tokenizer& config_;
  text::Normalizer normalizer_;
  decltype(text::Splitting::split) split_ = text::splitting("word").split;
};

/// Takes the words of the training text out of `words`.
void remove_known(const config::Run& run, const WordReader& reader, Words& words) {
  const auto remove = [&](std::u32string_view word) {
    if (const auto found = words.find(word); found != words.end()) words.erase(found);
  };
  if (run.task == "classify") {
    auto table = data::read_table(run.data.train.file, run.data);
    for (auto& record : table.records) reader.each(std::move(record.text), remove);
    return;
  }
  for (const auto& file : run.data.train.source) {
    text::LineReader lines(file);
    while (auto line = lines.next()) reader.each(std::move(*line), remove);
  }
}

void require_files(const config::DataNames& files) {
  for (const auto& file : files) {
    if (!std::filesystem::is_regular_file(file)) throw DataError(file + ": no such file");
  }
}

}  // namespace

std::vector<int64_t> unknown_words(const config::Run& run, const std::vector<std::string>& lines) {
  const WordReader reader(run.tokenizer);
  Words words;
  for (const auto& line : lines) {
    reader.each(line, [&](std::u32string_view word) { words.emplace(word); });
  }
  try {
    require_files(run.task == "classify" ? run.data.train.file : run.data.train.source);
    remove_known(run, reader, words);
  } catch (const DataError& error) {
    log::warning(
        fmt::format("no breakdown by unknown words, without the training text: {}", error.what()));
    return {};
  }
  std::vector<int64_t> counts;
  for (const auto& line : lines) {
    int64_t count = 0;
    reader.each(line, [&](std::u32string_view word) { count += words.contains(word) ? 1 : 0; });
    counts.push_back(count);
  }
  return counts;
}

}  // namespace heed::cli
