#include "data/toy_sentence.h"

#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>

#include "support/catch.h"

namespace heed::data {
namespace {

template <typename T>
const T& named(std::span<const T> items, std::string_view english) {
  for (const auto& item : items) {
    if (item.english == english) return item;
  }
  throw std::logic_error("no such word");
}

NounPhrase the(std::string_view noun) { return {.noun = &named(nouns(), noun)}; }

NounPhrase all_the(std::string_view noun) {
  return {.noun = &named(nouns(), noun), .plural = true};
}

const Verb* verb(std::string_view english) { return &named(verbs(), english); }

Circumstance in_the(std::string_view place) {
  return {"in", "in", {.noun = &named(places(), place)}};
}

Sentence said(const Clause& clause, Order order = Order::kMain) {
  Sentence sentence;
  sentence.add(clause, order);
  return sentence;
}

std::string english(const Sentence& sentence) {
  return fmt::format("{}", fmt::join(sentence.english(), " "));
}

std::string german(const Sentence& sentence) {
  return fmt::format("{}", fmt::join(sentence.german(), " "));
}

std::string links(const Sentence& sentence) {
  std::vector<std::string> links;
  for (const auto& [source, target] : sentence.links()) {
    links.push_back(fmt::format("{}-{}", source, target));
  }
  return fmt::format("{}", fmt::join(links, " "));
}

}  // namespace

TEST_CASE("a main clause has its finite verb second and the rest of it last",
          "[data][toy_sentence][unit]") {
  Clause clause{.subject = the("man"), .verb = verb("see"), .object = the("dog")};
  const auto present = said(clause);
  REQUIRE(english(present) == "the man sees the dog");
  REQUIRE(german(present) == "der mann sieht den hund");
  REQUIRE(links(present) == "0-0 1-1 2-2 3-3 4-4");

  clause.tense = Tense::kPerfect;
  const auto perfect = said(clause);
  REQUIRE(english(perfect) == "the man has seen the dog");
  REQUIRE(german(perfect) == "der mann hat den hund gesehen");
  REQUIRE(links(perfect) == "0-0 1-1 2-2 3-5 4-3 5-4");

  clause.tense = Tense::kModal;
  clause.modal = &named(modals(), "want");
  const auto modal = said(clause);
  REQUIRE(english(modal) == "the man wants to see the dog");
  REQUIRE(german(modal) == "der mann will den hund sehen");
  REQUIRE(links(modal) == "0-0 1-1 2-2 4-5 5-3 6-4");  // nothing for "to"
}

TEST_CASE("verbs agree in number with nouns and pronouns", "[data][toy_sentence][unit]") {
  Clause clause{.subject = all_the("child"), .verb = verb("carry"), .object = the("bag")};
  REQUIRE(english(said(clause)) == "the children carry the bag");
  REQUIRE(german(said(clause)) == "die kinder tragen die tasche");
  clause.tense = Tense::kPerfect;
  REQUIRE(english(said(clause)) == "the children have carried the bag");
  REQUIRE(german(said(clause)) == "die kinder haben die tasche getragen");
  clause.tense = Tense::kModal;
  clause.modal = &named(modals(), "must");
  REQUIRE(german(said(clause)) == "die kinder müssen die tasche tragen");

  clause.tense = Tense::kPresent;
  clause.subject = {.pronoun = &named(pronouns(), "she")};
  REQUIRE(german(said(clause)) == "sie trägt die tasche");
  clause.subject = {.pronoun = &named(pronouns(), "they")};
  REQUIRE(english(said(clause)) == "they carry the bag");
  REQUIRE(german(said(clause)) == "sie tragen die tasche");
}

TEST_CASE("a recipient and what helping is for stand in the dative", "[data][toy_sentence][unit]") {
  Clause give{.subject = the("woman"), .verb = verb("give"), .recipient = all_the("child")};
  give.object = the("letter");
  REQUIRE(english(said(give)) == "the woman gives the children the letter");
  REQUIRE(german(said(give)) == "die frau gibt den kindern den brief");

  const Clause help{.subject = the("woman"), .verb = verb("help"), .object = the("man")};
  REQUIRE(german(said(help)) == "die frau hilft dem mann");
}

TEST_CASE("adverbs stand before the objects, circumstances after them",
          "[data][toy_sentence][unit]") {
  Clause clause{.subject = the("man"), .verb = verb("see"), .object = the("dog")};
  clause.adverb = &named(adverbs(), "often");
  clause.place = in_the("kitchen");
  const auto sentence = said(clause);
  REQUIRE(english(sentence) == "the man sees the dog in the kitchen often");
  REQUIRE(german(sentence) == "der mann sieht oft den hund in der küche");
  REQUIRE(links(sentence) == "0-0 1-1 2-2 3-4 4-5 5-6 6-7 7-8 8-3");
}

TEST_CASE("what opens a main clause puts the subject behind the finite verb",
          "[data][toy_sentence][unit]") {
  Clause clause{.subject = the("man"), .verb = verb("see"), .object = the("dog")};
  clause.fronted = true;
  REQUIRE(german(said(clause)) == "der mann sieht den hund");  // nothing to open it with

  clause.place = in_the("garden");
  const auto place = said(clause);
  REQUIRE(english(place) == "in the garden the man sees the dog");
  REQUIRE(german(place) == "in dem garten sieht der mann den hund");
  REQUIRE(links(place) == "0-0 1-1 2-2 3-4 4-5 5-3 6-6 7-7");

  clause.adverb = &named(adverbs(), "today");
  clause.tense = Tense::kPerfect;
  const auto adverb = said(clause);
  REQUIRE(english(adverb) == "today the man has seen the dog in the garden");
  REQUIRE(german(adverb) == "heute hat der mann den hund in dem garten gesehen");

  REQUIRE(german(said(clause, Order::kInverted)) ==
          "hat der mann heute den hund in dem garten gesehen");
}

TEST_CASE("a subordinate clause ends in its finite verb", "[data][toy_sentence][unit]") {
  Clause clause{.subject = the("man"), .verb = verb("see"), .object = the("dog")};
  clause.adverb = &named(adverbs(), "today");
  clause.fronted = true;  // not here
  REQUIRE(english(said(clause, Order::kSubordinate)) == "the man sees the dog today");
  REQUIRE(german(said(clause, Order::kSubordinate)) == "der mann heute den hund sieht");
  clause.tense = Tense::kPerfect;
  REQUIRE(german(said(clause, Order::kSubordinate)) == "der mann heute den hund gesehen hat");
  clause.tense = Tense::kModal;
  clause.modal = &named(modals(), "want");
  REQUIRE(german(said(clause, Order::kSubordinate)) == "der mann heute den hund sehen will");
}

TEST_CASE("words between clauses are linked where both sides have one",
          "[data][toy_sentence][unit]") {
  Sentence sentence;
  sentence.add(Clause{.subject = the("girl"), .verb = &named(speech_verbs(), "say")}, Order::kMain);
  sentence.add("", ",");
  sentence.add("that", "dass");
  sentence.add(Clause{.subject = the("bird"), .verb = verb("sing")}, Order::kSubordinate);
  sentence.add(".", ".");
  REQUIRE(english(sentence) == "the girl says that the bird sings .");
  REQUIRE(german(sentence) == "das mädchen sagt , dass der vogel singt .");
  REQUIRE(links(sentence) == "0-0 1-1 2-2 3-4 4-5 5-6 6-7 7-8");
}

TEST_CASE("an adjective follows its determiner, ending and link", "[data][toy_sentence][unit]") {
  Clause clause{.subject = the("cat"), .verb = verb("find"), .object = the("ball")};
  clause.object->determiner = Determiner::kA;
  clause.object->adjective = &named(adjectives(), "big");
  const auto sentence = said(clause, Order::kSubordinate);
  REQUIRE(english(sentence) == "the cat finds a big ball");
  REQUIRE(german(sentence) == "die katze einen großen ball findet");
  REQUIRE(links(sentence) == "0-0 1-1 2-5 3-2 4-3 5-4");
}

}  // namespace heed::data
