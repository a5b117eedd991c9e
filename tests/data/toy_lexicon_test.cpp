#include "data/toy_lexicon.h"

#include <map>
#include <set>

#include "support/catch.h"

namespace heed::data {
namespace {

const Noun& noun(std::string_view english) {
  for (const auto& noun : nouns()) {
    if (noun.english == english) return noun;
  }
  throw std::logic_error("no such noun");
}

/// "der kleine mann"
std::string phrase(std::string_view english, Determiner determiner, Case noun_case, bool plural) {
  const auto& named = noun(english);
  return german(determiner, noun_case, named.gender, plural) + " " +
         german(adjectives()[0], determiner, noun_case, named.gender, plural) + " " +
         german(named, noun_case, plural);
}

/// Nominative, accusative, dative.
void check(std::string_view english, Determiner determiner, bool plural,
           const std::vector<std::string>& expected) {
  CAPTURE(english, plural);
  REQUIRE(phrase(english, determiner, Case::kNominative, plural) == expected[0]);
  REQUIRE(phrase(english, determiner, Case::kAccusative, plural) == expected[1]);
  REQUIRE(phrase(english, determiner, Case::kDative, plural) == expected[2]);
}

}  // namespace

TEST_CASE("articles and adjectives agree in gender and case", "[data][toy_lexicon][unit]") {
  check("man", Determiner::kThe, false,
        {"der kleine mann", "den kleinen mann", "dem kleinen mann"});
  check("cat", Determiner::kThe, false,
        {"die kleine katze", "die kleine katze", "der kleinen katze"});
  check("child", Determiner::kThe, false,
        {"das kleine kind", "das kleine kind", "dem kleinen kind"});
  check("man", Determiner::kA, false,
        {"ein kleiner mann", "einen kleinen mann", "einem kleinen mann"});
  check("cat", Determiner::kA, false,
        {"eine kleine katze", "eine kleine katze", "einer kleinen katze"});
  check("child", Determiner::kA, false,
        {"ein kleines kind", "ein kleines kind", "einem kleinen kind"});
  check("man", Determiner::kMy, false,
        {"mein kleiner mann", "meinen kleinen mann", "meinem kleinen mann"});
}

TEST_CASE("plurals look the same in every gender, and nouns end in n in the dative",
          "[data][toy_lexicon][unit]") {
  check("man", Determiner::kThe, true,
        {"die kleinen männer", "die kleinen männer", "den kleinen männern"});
  check("cat", Determiner::kMy, true,
        {"meine kleinen katzen", "meine kleinen katzen", "meinen kleinen katzen"});
  check("child", Determiner::kThe, true,
        {"die kleinen kinder", "die kleinen kinder", "den kleinen kindern"});
  for (const auto& each : nouns()) {
    CAPTURE(each.german);
    const auto last = each.german_plural_dative.back();
    REQUIRE((last == 'n' || last == 's'));
  }
}

TEST_CASE("there are at least 60 words a side", "[data][toy_lexicon][unit]") {
  std::set<std::string_view> english, german;
  const auto add = [&](const auto& words) {
    for (const auto& word : words) {
      english.insert(word.english);
      german.insert(word.german);
    }
  };
  add(nouns());
  add(places());
  add(adjectives());
  add(adverbs());
  add(verbs());
  add(modals());
  REQUIRE(english.size() >= 60);
  REQUIRE(german.size() >= 60);
}

TEST_CASE("an English form stands for one German word of one kind", "[data][toy_lexicon][unit]") {
  std::map<std::string_view, std::string_view> meaning;
  const auto add = [&](std::string_view english, std::string_view german) {
    CAPTURE(english);
    const bool fresh = meaning.emplace(english, german).second;
    REQUIRE(fresh);
  };
  for (const auto list : {nouns(), places()}) {
    for (const auto& noun : list) {
      add(noun.english, noun.german);
      add(noun.english_plural, noun.german_plural);
    }
  }
  for (const auto& adjective : adjectives()) add(adjective.english, adjective.german);
  for (const auto& pronoun : pronouns()) add(pronoun.english, pronoun.german);
  for (const auto& adverb : adverbs()) add(adverb.english, adverb.german);
  for (const auto list : {verbs(), speech_verbs()}) {
    for (const auto& verb : list) {
      add(verb.english, verb.german);
      add(verb.english_third, verb.german_third);
      add(verb.english_participle, verb.german_participle);
    }
  }
}

TEST_CASE("nouns are the animate ones, then things", "[data][toy_lexicon][unit]") {
  REQUIRE(animate_nouns().size() + things().size() == nouns().size());
  REQUIRE(animate_nouns().back().english == "mouse");
  REQUIRE(things().front().english == "book");
}

}  // namespace heed::data
