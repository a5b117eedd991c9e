#include "data/toy_classification.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "data/toy_files.h"
#include "support/catch.h"

namespace heed::data {
namespace {

using test::Words;
using test::words_of;

struct Labeled {
  std::string label;
  Words words;
};

std::vector<Labeled> split_named(const std::string& name) {
  std::vector<Labeled> lines;
  const auto files = test::by_name(make_toy_classification());
  for (const auto& line : files.at(name + ".tsv")) {
    const auto tab = line.find('\t');
    REQUIRE(tab != line.npos);
    lines.push_back({line.substr(0, tab), words_of(line.substr(tab + 1))});
  }
  return lines;
}

/// A multinomial naive Bayes with add-one smoothing: all that the words without their order tell.
class BagOfWords {
 public:
  explicit BagOfWords(const std::vector<Labeled>& lines) {
    for (const auto& [label, words] : lines) {
      ++lines_[label];
      for (const auto& word : words) {
        ++counts_[label][word];
        ++words_[label];
        vocabulary_.insert(word);
      }
    }
  }

  std::string label(const Words& words) const {
    std::string best;
    double best_score = -INFINITY;
    for (const auto& [label, lines] : lines_) {
      double score = std::log(lines);
      for (const auto& word : words) {
        const auto& counts = counts_.at(label);
        const auto found = counts.find(word);
        const double count = found == counts.end() ? 0 : found->second;
        score +=
            std::log((count + 1) / (words_.at(label) + static_cast<double>(vocabulary_.size())));
      }
      if (score > best_score) best = label;
      best_score = std::max(score, best_score);
    }
    return best;
  }

 private:
  std::map<std::string, double> lines_;
  std::map<std::string, double> words_;
  std::map<std::string, std::map<std::string, double>> counts_;
  std::set<std::string> vocabulary_;
};

Words sorted(Words words) {
  std::ranges::sort(words);
  return words;
}

}  // namespace

TEST_CASE("a bag of words classifies at most 55 %", "[data][toy_classification][property]") {
  const auto test_lines = split_named("test");
  const BagOfWords bag(split_named("train"));
  const auto right = std::ranges::count_if(
      test_lines, [&](const auto& line) { return bag.label(line.words) == line.label; });
  REQUIRE(right * 100 <= 55 * std::ssize(test_lines));
}

TEST_CASE("for each sentence there is one of the same words and another label",
          "[data][toy_classification][property]") {
  for (const std::string name : {"train", "valid", "test"}) {
    CAPTURE(name);
    std::map<Words, std::map<std::string, int64_t>> labels;  // by bag
    for (const auto& line : split_named(name)) ++labels[sorted(line.words)][line.label];
    for (const auto& [bag, counts] : labels) {
      REQUIRE(counts.size() >= 2);
      int64_t total = 0, most = 0;
      for (const auto& entry : counts) {
        total += entry.second;
        most = std::max(most, entry.second);
      }
      REQUIRE(2 * most <= total);  // so knowing the whole bag is right half of the time at best
    }
  }
}

TEST_CASE("the splits of the toy classification have their sizes, their labels and no common text",
          "[data][toy_classification][unit]") {
  std::set<Words> texts;
  std::size_t lines = 0;
  for (const auto& [name, size] : {std::pair("train", 4000), {"valid", 500}, {"test", 1000}}) {
    CAPTURE(name);
    std::map<std::string, int64_t> labels;
    for (const auto& line : split_named(name)) {
      ++labels[line.label];
      texts.insert(line.words);
      ++lines;
    }
    REQUIRE(labels.size() == 3);
    for (const auto& [label, count] : labels) {
      CAPTURE(label);
      REQUIRE(std::abs(3.0 * count / size - 1) < 0.1);
    }
  }
  REQUIRE(lines == 5500);
  REQUIRE(texts.size() == lines);
}

TEST_CASE("the label is the kind of who acts, in active and passive main clauses",
          "[data][toy_classification][unit]") {
  const std::map<std::string, std::string> kinds = {{"nurse", "person"},  {"pilot", "person"},
                                                    {"dog", "animal"},    {"wolf", "animal"},
                                                    {"robot", "machine"}, {"ship", "machine"}};
  int64_t active = 0, passive = 0;
  for (const auto& [label, words] : split_named("test")) {
    const auto end = std::ranges::find(words, "while");
    Words known;
    for (auto word = words.begin(); word != end; ++word) {
      if (kinds.contains(*word)) known.push_back(*word);
    }
    if (known.size() != 2) continue;
    const bool is_passive = std::find(words.begin(), end, "by") != end;
    ++(is_passive ? passive : active);
    REQUIRE(label == kinds.at(known[is_passive ? 1 : 0]));
  }
  REQUIRE(active > 5);
  REQUIRE(passive > 5);
}

}  // namespace heed::data
