#pragma once

#include <span>
#include <string>
#include <string_view>

namespace heed::data {

// The words of the toy translation and how German inflects them, all lower case. No English form
// stands for two German words but by agreement.

enum class Gender { kMasculine, kFeminine, kNeuter };
enum class Case { kNominative, kAccusative, kDative };
enum class Determiner { kThe, kA, kMy };  // kA has no plural

struct Noun {
  std::string_view english;
  std::string_view english_plural;
  std::string_view german;
  std::string_view german_plural;
  std::string_view german_plural_dative;
  Gender gender;
};

/// Without its ending.
struct Adjective {
  std::string_view english;
  std::string_view german;
};

/// A subject of the third person.
struct Pronoun {
  std::string_view english;
  std::string_view german;
  bool plural;
};

struct Adverb {
  std::string_view english;
  std::string_view german;
};

enum class Objects { kNone, kAny, kAnimate, kThing };

struct Verb {
  std::string_view english;  // infinitive and plural
  std::string_view english_third;
  std::string_view english_participle;
  std::string_view german;  // infinitive and plural
  std::string_view german_third;
  std::string_view german_participle;
  Objects objects = Objects::kNone;
  Case object_case = Case::kAccusative;
  bool recipient = false;  // "gives the child the book"
};

/// "wants to see": will ... sehen.
struct Modal {
  std::string_view english;
  std::string_view english_third;
  bool to;
  std::string_view german;
  std::string_view german_third;
};

/// Animate nouns first, then things.
std::span<const Noun> nouns();
std::span<const Noun> animate_nouns();
std::span<const Noun> things();
std::span<const Noun> places();
std::span<const Adjective> adjectives();
std::span<const Pronoun> pronouns();
std::span<const Adverb> adverbs();
std::span<const Verb> verbs();
std::span<const Verb> speech_verbs();  // "says that ..."
std::span<const Modal> modals();

std::string english(Determiner determiner);

/// The forms that agree with a noun of `gender`.
std::string german(Determiner determiner, Case noun_case, Gender gender, bool plural);
std::string german(const Adjective& adjective, Determiner before, Case noun_case, Gender gender,
                   bool plural);
std::string german(const Noun& noun, Case noun_case, bool plural);

}  // namespace heed::data
