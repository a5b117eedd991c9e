#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "data/toy_lexicon.h"

namespace heed::data {

/// "my small dogs"; or a pronoun, as a subject only.
struct NounPhrase {
  const Pronoun* pronoun = nullptr;
  const Noun* noun = nullptr;  // null with a pronoun
  Determiner determiner = Determiner::kThe;
  const Adjective* adjective = nullptr;
  bool plural = false;
};

/// "in the garden", "with a dog". German takes the dative.
struct Circumstance {
  std::string english;
  std::string german;
  NounPhrase phrase{};
};

enum class Tense { kPresent, kPerfect, kModal };

/// What is said, without the order of its words.
struct Clause {
  NounPhrase subject{};
  const Verb* verb = nullptr;
  Tense tense = Tense::kPresent;
  const Modal* modal = nullptr;
  std::optional<NounPhrase> recipient{};
  std::optional<NounPhrase> object{};
  std::optional<Circumstance> place{};
  const Adverb* adverb = nullptr;
  bool fronted = false;  // the adverb, else the place, opens a main clause
};

/// How German orders a clause: the finite verb second, first or last.
enum class Order { kMain, kInverted, kSubordinate };

/// An English sentence, its German one and which words belong together.
class Sentence {
 public:
  void add(const Clause& clause, Order order);

  /// A word for a word, such as ", because". An empty side has no word.
  void add(const std::string& english, const std::string& german);

  const std::vector<std::string>& english() const { return english_; }
  const std::vector<std::string>& german() const { return german_; }

  /// Places from 0, English first, sorted.
  std::vector<std::pair<int64_t, int64_t>> links() const;

 private:
  int64_t say_english(std::string_view word);  // -> its place
  void say_german(std::string word, int64_t english_place);

  int64_t add_english(const NounPhrase& phrase);  // -> place of its first word
  void add_german(const NounPhrase& phrase, Case noun_case, int64_t first);

  std::vector<std::string> english_;
  std::vector<std::string> german_;
  std::vector<std::pair<int64_t, int64_t>> links_;
  friend class ClauseWriter;
};

}  // namespace heed::data
