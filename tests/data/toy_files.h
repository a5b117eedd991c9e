#pragma once

#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "data/toy_corpus.h"

namespace heed::data::test {

using Words = std::vector<std::string>;

inline Words lines_of(const std::string& content) {
  Words lines;
  std::istringstream stream(content);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

inline Words words_of(const std::string& line) {
  Words words;
  std::istringstream stream(line);
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

inline std::map<std::string, Words> by_name(const std::vector<CorpusFile>& files) {
  std::map<std::string, Words> lines;
  for (const auto& file : files) lines[file.name] = lines_of(file.content);
  return lines;
}

}  // namespace heed::data::test
