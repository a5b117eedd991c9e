#include "data/toy_letters.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "base/random.h"

namespace heed::data {
namespace {

struct LetterFile {
  std::string name;
  int64_t shortest = 0;
  int64_t longest = 0;
  int64_t of_each_length = 0;
};

std::vector<LetterFile> letter_files(int64_t train_lines_of_each_length) {
  return {{"train", 1, 25, train_lines_of_each_length},
          {"valid", 1, 25, 12},
          {"test", 1, 25, 12},
          {"test_long", 26, 60, 9}};
}

std::string letters(int64_t length, Random& random) {
  std::string text;
  for (int64_t i = 0; i < length; ++i) text += static_cast<char>('a' + random.below(26));
  return text;
}

std::string spaced(const std::string& text) {
  std::string line;
  for (const char letter : text) {
    if (!line.empty()) line += ' ';
    line += letter;
  }
  return line + "\n";
}

std::vector<CorpusFile> make(uint64_t key, int64_t train_lines_of_each_length, bool reversed) {
  std::vector<CorpusFile> files;
  for (const auto& split : letter_files(train_lines_of_each_length)) {
    Random random({key, files.size()});
    std::vector<std::string> lines;
    for (int64_t length = split.shortest; length <= split.longest; ++length) {
      for (int64_t i = 0; i < split.of_each_length; ++i) lines.push_back(letters(length, random));
    }
    random.shuffle(lines);

    CorpusFile source{split.name + ".source", {}}, target{split.name + ".target", {}};
    for (auto& line : lines) {
      source.content += spaced(line);
      if (reversed) std::ranges::reverse(line);
      target.content += spaced(line);
    }
    files.push_back(std::move(source));
    files.push_back(std::move(target));
  }
  return files;
}

}  // namespace

std::vector<CorpusFile> make_copy() { return make(1, 120, /*reversed=*/false); }

std::vector<CorpusFile> make_reverse() { return make(2, 320, /*reversed=*/true); }

}  // namespace heed::data
