#include "data/toy_translation.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_set>
#include <utility>

#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>

#include "base/random.h"
#include "data/toy_sentence.h"
#include "data/toy_split.h"

namespace heed::data {
namespace {

constexpr std::size_t kShortest = 4;  // tokens, either side
constexpr std::size_t kLongest = 16;

struct SplitFile {
  ToySplit split;
  std::string name;
  std::size_t size;
};

/// Of each 11 (of each 8 for adjectives) combinations one is the test's and one the validation
/// set's. The factors have no divisor with these in common, so no word is missing anywhere.
constexpr std::size_t kClauseParts = 11;
constexpr std::size_t kAdjectiveParts = 8;

template <typename T>
std::size_t place_in(const T* item, std::span<const T> items) {
  return static_cast<std::size_t>(item - items.data());
}

std::size_t number_of(const NounPhrase& phrase) {
  if (phrase.pronoun != nullptr) return nouns().size() + place_in(phrase.pronoun, pronouns());
  return place_in(phrase.noun, nouns());
}

ToySplit split_of(const Clause& clause) {
  auto combination = number_of(clause.subject) + 3 * place_in(clause.verb, verbs());
  if (clause.recipient) combination += 7 * number_of(*clause.recipient);
  if (clause.object) combination += 5 * number_of(*clause.object);
  return toy_split(combination, kClauseParts);
}

ToySplit split_of(const Adjective& adjective, const Noun& noun) {
  return toy_split(place_in(&adjective, adjectives()) + place_in(&noun, nouns()), kAdjectiveParts);
}

/// Draws what one split may say.
class Speaker {
 public:
  Speaker(ToySplit split, uint64_t seed) : split_(split), random_({seed}) {}

  Sentence sentence() {
    Sentence out;
    const auto kind = random_.below(20);
    if (kind < 11) {
      out.add(clause(), Order::kMain);
    } else if (kind < 14) {
      out.add(clause(), Order::kMain);
      out.add(",", ",");
      out.add("because", "weil");
      out.add(clause(), Order::kSubordinate);
    } else if (kind < 17) {
      out.add("if", "wenn");
      out.add(clause(), Order::kSubordinate);
      out.add(",", ",");
      out.add(clause(), Order::kInverted);
    } else {
      out.add({.subject = subject(), .verb = &pick(speech_verbs())}, Order::kMain);
      out.add("", ",");
      out.add("that", "dass");
      out.add(clause(), Order::kSubordinate);
    }
    out.add(".", ".");
    return out;
  }

 private:
  template <typename T>
  const T& pick(std::span<const T> items) {
    return items[random_.below(items.size())];
  }

  bool one_in(uint64_t n) { return random_.below(n) == 0; }

  NounPhrase phrase(std::span<const Noun> of) {
    NounPhrase out{.noun = &pick(of), .plural = one_in(3)};
    out.determiner = one_in(3)                  ? Determiner::kMy
                     : !out.plural && one_in(2) ? Determiner::kA
                                                : Determiner::kThe;
    if (one_in(3)) out.adjective = &adjective(*out.noun);
    return out;
  }

  const Adjective& adjective(const Noun& noun) {
    for (;;) {
      const auto& drawn = pick(adjectives());
      if (split_of(drawn, noun) == split_) return drawn;
    }
  }

  NounPhrase subject() {
    if (one_in(4)) return {.pronoun = &pick(pronouns())};
    return phrase(animate_nouns());
  }

  NounPhrase object(Objects objects) {
    if (objects == Objects::kAnimate) return phrase(animate_nouns());
    return phrase(objects == Objects::kThing ? things() : nouns());
  }

  Circumstance circumstance() {
    if (one_in(3)) return {"with", "mit", phrase(animate_nouns())};
    const NounPhrase place{.noun = &pick(places()),
                           .determiner = one_in(3) ? Determiner::kMy : Determiner::kThe};
    if (one_in(2)) return {"behind", "hinter", place};
    return {"in", "in", place};
  }

  Clause any_clause() {
    Clause out{.subject = subject(), .verb = &pick(verbs())};
    out.tense = std::array{Tense::kPresent, Tense::kPerfect, Tense::kModal}[random_.below(3)];
    out.modal = &pick(modals());
    if (out.verb->recipient) out.recipient = phrase(animate_nouns());
    if (out.verb->objects != Objects::kNone) out.object = object(out.verb->objects);
    if (one_in(4)) out.place = circumstance();
    if (one_in(4)) out.adverb = &pick(adverbs());
    out.fronted = one_in(2);
    return out;
  }

  Clause clause() {
    for (;;) {
      const auto drawn = any_clause();
      if (split_of(drawn) == split_) return drawn;
    }
  }

  ToySplit split_;
  Random random_;
};

bool fits(const std::vector<std::string>& words) {
  return words.size() >= kShortest && words.size() <= kLongest;
}

std::string links_of(const Sentence& sentence) {
  std::vector<std::string> links;
  for (const auto& [english, german] : sentence.links()) {
    links.push_back(fmt::format("{}-{}", english, german));
  }
  return fmt::format("{}\n", fmt::join(links, " "));
}

}  // namespace

std::vector<CorpusFile> make_toy_translation() {
  const std::array<SplitFile, 3> splits = {{{ToySplit::kTrain, "train", 8000},
                                            {ToySplit::kValid, "valid", 500},
                                            {ToySplit::kTest, "test", 1000}}};
  std::vector<CorpusFile> files;
  for (const auto& [split, name, size] : splits) {
    Speaker speaker(split, 4 + files.size());
    std::unordered_set<std::string> seen;
    CorpusFile english{name + ".en", {}}, german{name + ".de", {}}, links{name + ".links", {}};
    while (seen.size() < size) {
      const auto sentence = speaker.sentence();
      if (!fits(sentence.english()) || !fits(sentence.german())) continue;
      const auto line = fmt::format("{}\n", fmt::join(sentence.english(), " "));
      if (!seen.insert(line).second) continue;
      english.content += line;
      german.content += fmt::format("{}\n", fmt::join(sentence.german(), " "));
      links.content += links_of(sentence);
    }
    for (auto* file : {&english, &german, &links}) files.push_back(std::move(*file));
  }
  return files;
}

}  // namespace heed::data
