#include "data/toy_classification.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_set>
#include <utility>

#include <spdlog/fmt/fmt.h>

#include "base/random.h"
#include "data/toy_split.h"

namespace heed::data {
namespace {

constexpr std::size_t kNounsOfKind = 8;

struct Kind {
  std::string label;
  std::array<std::string, kNounsOfKind> nouns;
};

const std::array<Kind, 3> kKinds = {{
    {"person", {"teacher", "doctor", "nurse", "farmer", "singer", "painter", "baker", "pilot"}},
    {"animal", {"dog", "cat", "horse", "bird", "wolf", "bear", "goat", "mouse"}},
    {"machine", {"robot", "truck", "train", "drone", "crane", "tractor", "bus", "ship"}},
}};
const std::vector<std::string> kAdjectives = {"old", "small", "big", "quiet", "fast", "strange"};
const std::vector<std::string> kVerbs = {"followed", "watched", "passed", "stopped",
                                         "found",    "moved",   "heard",  "pushed"};
const std::vector<std::string> kPlaces = {"near the river", "in the city",     "on the road",
                                          "at the market",  "behind the hill", "after the storm"};
const std::vector<std::string> kTimes = {"yesterday", "today", "again", "suddenly"};

/// Of each 11 combinations of two nouns and a verb one is the test's and one the validation set's.
constexpr std::size_t kParts = 11;

const std::string& pick(const std::vector<std::string>& items, Random& random) {
  return items[random.below(items.size())];
}

struct Being {
  std::size_t kind = 0;
  std::size_t noun = 0;   // within its kind
  std::string adjective;  // with a space after it, or empty
};

struct Clause {
  Being agent;
  Being other;
  std::size_t verb = 0;
  bool passive = false;
};

Being draw_being(std::size_t kind, Random& random) {
  Being being{.kind = kind, .noun = random.below(kNounsOfKind), .adjective = {}};
  if (random.below(2) == 0) being.adjective = pick(kAdjectives, random) + " ";
  return being;
}

Clause draw_clause(Random& random) {
  const auto kind = random.below(kKinds.size());
  const auto other = (kind + 1 + random.below(kKinds.size() - 1)) % kKinds.size();
  Clause clause{.agent = draw_being(kind, random), .other = draw_being(other, random)};
  clause.verb = random.below(kVerbs.size());
  clause.passive = random.below(2) == 0;
  return clause;
}

/// The same for a clause and its mirror image.
ToySplit split_of(const Clause& clause) {
  const auto number = [](const Being& being) { return being.kind * kNounsOfKind + being.noun; };
  return toy_split(number(clause.agent) + number(clause.other) + 3 * clause.verb, kParts);
}

std::string say(const Being& being) {
  return fmt::format("the {}{}", being.adjective, kKinds[being.kind].nouns[being.noun]);
}

std::string say(const Clause& clause) {
  const auto& verb = kVerbs[clause.verb];
  const auto who = say(clause.agent), whom = say(clause.other);
  return clause.passive ? fmt::format("{} was {} by {}", whom, verb, who)
                        : fmt::format("{} {} {}", who, verb, whom);
}

/// A sentence and its mirror image, LABEL<TAB>text.
std::array<std::string, 2> draw_pair(ToySplit split, Random& random) {
  auto clause = draw_clause(random);
  while (split_of(clause) != split) clause = draw_clause(random);

  std::string before, after;
  if (random.below(3) == 0) before = pick(kTimes, random) + " ";
  if (random.below(2) == 0) after = " " + pick(kPlaces, random);
  if (random.below(4) == 0) after += " while " + say(draw_clause(random));

  std::array<std::string, 2> lines;
  for (auto& line : lines) {
    const auto& label = kKinds[clause.agent.kind].label;
    line = fmt::format("{}\t{}{}{}\n", label, before, say(clause), after);
    std::swap(clause.agent, clause.other);
  }
  return lines;
}

std::string draw_lines(ToySplit split, std::size_t size, Random& random) {
  std::unordered_set<std::string> seen;
  std::vector<std::string> lines;
  while (lines.size() < size) {
    auto pair = draw_pair(split, random);
    if (!seen.insert(pair[0]).second) continue;
    for (auto& line : pair) {
      seen.insert(line);
      lines.push_back(std::move(line));
    }
  }
  random.shuffle(lines);
  std::string content;
  for (const auto& line : lines) content += line;
  return content;
}

}  // namespace

std::vector<CorpusFile> make_toy_classification() {
  Random random({3});
  std::vector<CorpusFile> files;
  files.push_back({"train.tsv", draw_lines(ToySplit::kTrain, 4000, random)});
  files.push_back({"valid.tsv", draw_lines(ToySplit::kValid, 500, random)});
  files.push_back({"test.tsv", draw_lines(ToySplit::kTest, 1000, random)});
  return files;
}

}  // namespace heed::data
