#include "data/toy_translation.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "data/toy_files.h"
#include "data/toy_lexicon.h"
#include "support/catch.h"

namespace heed::data {
namespace {

using test::Words;

struct Pair {
  Words english;
  Words german;
  std::vector<std::pair<std::size_t, std::size_t>> links;
};

std::pair<std::size_t, std::size_t> parsed(const std::string& link) {
  std::pair<std::size_t, std::size_t> places;
  const auto* end = link.data() + link.size();
  const auto first = std::from_chars(link.data(), end, places.first);
  REQUIRE(*first.ptr == '-');
  const auto second = std::from_chars(first.ptr + 1, end, places.second);
  REQUIRE(second.ptr == end);
  return places;
}

std::vector<Pair> split_named(const std::string& name) {
  static const auto files = test::by_name(make_toy_translation());
  const auto& english = files.at(name + ".en");
  const auto& german = files.at(name + ".de");
  const auto& links = files.at(name + ".links");
  REQUIRE(german.size() == english.size());
  REQUIRE(links.size() == english.size());
  std::vector<Pair> pairs(english.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    pairs[i] = {test::words_of(english[i]), test::words_of(german[i]), {}};
    for (const auto& link : test::words_of(links[i])) pairs[i].links.push_back(parsed(link));
  }
  return pairs;
}

/// The most frequent counterpart of each English word, taken word by word.
class Dictionary {
 public:
  explicit Dictionary(const std::vector<Pair>& pairs) {
    for (const auto& pair : pairs) {
      for (const auto& [source, target] : pair.links) {
        ++counts_[pair.english[source]][pair.german[target]];
      }
    }
  }

  Words translate(const Words& english) const {
    Words german;
    for (const auto& word : english) {
      const auto found = counts_.find(word);
      if (found == counts_.end()) continue;  // "to" has no counterpart
      german.push_back(std::ranges::max_element(found->second, {}, [](const auto& entry) {
                         return entry.second;
                       })->first);
    }
    return german;
  }

 private:
  std::map<std::string, std::map<std::string, int64_t>> counts_;
};

std::map<std::string, int64_t> count_words(const std::vector<Pair>& pairs, Words Pair::* side) {
  std::map<std::string, int64_t> counts;
  for (const auto& pair : pairs) {
    for (const auto& word : pair.*side) ++counts[word];
  }
  return counts;
}

/// Adjective and the noun after it, by their English lemmas.
std::set<std::pair<std::string, std::string>> adjective_pairs(const std::vector<Pair>& pairs) {
  std::map<std::string, std::string> lemma;
  for (const auto& noun : nouns()) {
    lemma[std::string(noun.english)] = noun.english;
    lemma[std::string(noun.english_plural)] = noun.english;
  }
  std::set<std::string> known;
  for (const auto& adjective : adjectives()) known.insert(std::string(adjective.english));

  std::set<std::pair<std::string, std::string>> found;
  for (const auto& pair : pairs) {
    for (std::size_t i = 0; i + 1 < pair.english.size(); ++i) {
      if (known.contains(pair.english[i])) {
        found.emplace(pair.english[i], lemma.at(pair.english[i + 1]));
      }
    }
  }
  return found;
}

/// Lemmas of subject, verb and objects of the simplest sentences: one clause in the present tense
/// without circumstances.
std::set<Words> combinations(const std::vector<Pair>& pairs) {
  std::map<std::string, std::string> lemma;
  for (const auto& noun : nouns()) {
    lemma[std::string(noun.english)] = noun.english;
    lemma[std::string(noun.english_plural)] = noun.english;
  }
  for (const auto& pronoun : pronouns()) lemma[std::string(pronoun.english)] = pronoun.english;
  for (const auto& verb : verbs()) {
    for (const auto form : {verb.english, verb.english_third, verb.english_participle}) {
      lemma[std::string(form)] = verb.english;
    }
  }
  const std::set<std::string> more = {"because", "if", "that", "in", "behind", "with"};
  std::set<Words> found;
  for (const auto& pair : pairs) {
    Words words;
    bool simple = true;
    for (const auto& word : pair.english) {
      if (more.contains(word)) simple = false;
      if (lemma.contains(word)) words.push_back(lemma.at(word));
    }
    if (simple) found.insert(words);
  }
  return found;
}

}  // namespace

TEST_CASE("a word-by-word dictionary translates at most 10 % exactly",
          "[data][toy_translation][property]") {
  const Dictionary dictionary(split_named("train"));
  const auto test_pairs = split_named("test");
  const auto exact = std::ranges::count_if(test_pairs, [&](const Pair& pair) {
    return dictionary.translate(pair.english) == pair.german;
  });
  REQUIRE(exact * 100 <= 10 * std::ssize(test_pairs));
}

TEST_CASE("the toy translation has its sizes, and sentences of 4 to 16 tokens, none twice",
          "[data][toy_translation][unit]") {
  std::set<Words> seen;
  std::size_t pairs = 0;
  for (const auto& [name, size] : {std::pair("train", 8000u), {"valid", 500u}, {"test", 1000u}}) {
    CAPTURE(name);
    const auto split = split_named(name);
    REQUIRE(split.size() == size);
    for (const auto& pair : split) {
      REQUIRE(std::min(pair.english.size(), pair.german.size()) >= 4);
      REQUIRE(std::max(pair.english.size(), pair.german.size()) <= 16);
      seen.insert(pair.english);
    }
    pairs += split.size();
  }
  REQUIRE(seen.size() == pairs);
}

TEST_CASE("every word of valid and test is frequent in train", "[data][toy_translation][unit]") {
  const auto train = split_named("train");
  for (const auto side : {&Pair::english, &Pair::german}) {
    const auto known = count_words(train, side);
    REQUIRE(known.size() >= 60);
    for (const std::string name : {"valid", "test"}) {
      for (const auto& [word, count] : count_words(split_named(name), side)) {
        CAPTURE(word);
        const auto found = known.find(word);
        REQUIRE(found != known.end());
        REQUIRE(found->second >= 25);
      }
    }
  }
}

TEST_CASE("subject, verb and objects of a test sentence never stand together in train",
          "[data][toy_translation][property]") {
  const auto train = combinations(split_named("train"));
  for (const std::string name : {"valid", "test"}) {
    const auto held_out = combinations(split_named(name));
    REQUIRE(held_out.size() > 50);
    for (const auto& combination : held_out) {
      CAPTURE(combination);
      REQUIRE_FALSE(train.contains(combination));
    }
  }
}

TEST_CASE("an adjective and its noun of a test sentence never stand together in train",
          "[data][toy_translation][property]") {
  const auto train = adjective_pairs(split_named("train"));
  for (const std::string name : {"valid", "test"}) {
    const auto held_out = adjective_pairs(split_named(name));
    REQUIRE(held_out.size() > 15);
    for (const auto& [adjective, noun] : held_out) {
      CAPTURE(adjective, noun);
      REQUIRE_FALSE(train.contains({adjective, noun}));
    }
  }
}

TEST_CASE("an English sentence has one German one", "[data][toy_translation][property]") {
  std::map<Words, Words> meaning;
  for (const std::string name : {"train", "valid", "test"}) {
    for (const auto& pair : split_named(name)) {
      const auto& known = meaning.emplace(pair.english, pair.german).first->second;
      REQUIRE(known == pair.german);
    }
  }
}

TEST_CASE("gold links are sorted, inside the sentences, and leave out only what has no counterpart",
          "[data][toy_translation][property]") {
  for (const auto& pair : split_named("test")) {
    REQUIRE(std::ranges::is_sorted(pair.links));
    std::set<std::size_t> sources, targets;
    for (const auto& [source, target] : pair.links) {
      REQUIRE(source < pair.english.size());
      REQUIRE(target < pair.german.size());
      sources.insert(source);
      targets.insert(target);
    }
    REQUIRE(sources.size() == pair.links.size());  // one for one
    REQUIRE(targets.size() == pair.links.size());
    for (std::size_t i = 0; i < pair.english.size(); ++i) {
      REQUIRE((sources.contains(i) || pair.english[i] == "to"));
    }
    for (std::size_t i = 0; i < pair.german.size(); ++i) {
      REQUIRE((targets.contains(i) || pair.german[i] == ","));
    }
  }
}

TEST_CASE("gold links join words of one meaning", "[data][toy_translation][property]") {
  std::map<std::string, std::set<std::string>> forms;  // of an English noun or adverb
  for (const auto list : {nouns(), places()}) {
    for (const auto& noun : list) {
      forms[std::string(noun.english)] = {std::string(noun.german)};
      forms[std::string(noun.english_plural)] = {std::string(noun.german_plural),
                                                 std::string(noun.german_plural_dative)};
    }
  }
  for (const auto& adverb : adverbs()) {
    forms[std::string(adverb.english)] = {std::string(adverb.german)};
  }
  forms["because"] = {"weil"};
  forms["if"] = {"wenn"};
  forms["that"] = {"dass"};
  forms["."] = {"."};
  int64_t checked = 0;
  for (const std::string name : {"train", "valid", "test"}) {
    for (const auto& pair : split_named(name)) {
      for (const auto& [source, target] : pair.links) {
        const auto found = forms.find(pair.english[source]);
        if (found == forms.end()) continue;
        CAPTURE(pair.english[source], pair.german[target]);
        REQUIRE(found->second.contains(pair.german[target]));
        ++checked;
      }
    }
  }
  REQUIRE(checked > 20'000);
}

}  // namespace heed::data
