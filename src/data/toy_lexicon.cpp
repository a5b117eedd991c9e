#include "data/toy_lexicon.h"

#include <array>

namespace heed::data {
namespace {

using enum Gender;

constexpr std::size_t kAnimates = 15;

constexpr auto kNouns = std::to_array<Noun>({
    {"man", "men", "mann", "männer", "männern", kMasculine},
    {"woman", "women", "frau", "frauen", "frauen", kFeminine},
    {"child", "children", "kind", "kinder", "kindern", kNeuter},
    {"teacher", "teachers", "lehrer", "lehrer", "lehrern", kMasculine},
    {"doctor", "doctors", "arzt", "ärzte", "ärzten", kMasculine},
    {"girl", "girls", "mädchen", "mädchen", "mädchen", kNeuter},
    {"friend", "friends", "freund", "freunde", "freunden", kMasculine},
    {"daughter", "daughters", "tochter", "töchter", "töchtern", kFeminine},
    {"baby", "babies", "baby", "babys", "babys", kNeuter},
    {"queen", "queens", "königin", "königinnen", "königinnen", kFeminine},
    {"dog", "dogs", "hund", "hunde", "hunden", kMasculine},
    {"cat", "cats", "katze", "katzen", "katzen", kFeminine},
    {"horse", "horses", "pferd", "pferde", "pferden", kNeuter},
    {"bird", "birds", "vogel", "vögel", "vögeln", kMasculine},
    {"mouse", "mice", "maus", "mäuse", "mäusen", kFeminine},
    {"book", "books", "buch", "bücher", "büchern", kNeuter},
    {"letter", "letters", "brief", "briefe", "briefen", kMasculine},
    {"flower", "flowers", "blume", "blumen", "blumen", kFeminine},
    {"picture", "pictures", "bild", "bilder", "bildern", kNeuter},
    {"lamp", "lamps", "lampe", "lampen", "lampen", kFeminine},
    {"ball", "balls", "ball", "bälle", "bällen", kMasculine},
    {"hat", "hats", "hut", "hüte", "hüten", kMasculine},
    {"bag", "bags", "tasche", "taschen", "taschen", kFeminine},
    {"car", "cars", "auto", "autos", "autos", kNeuter},
    {"key", "keys", "schlüssel", "schlüssel", "schlüsseln", kMasculine},
});

constexpr auto kPlaces = std::to_array<Noun>({
    {"garden", "gardens", "garten", "gärten", "gärten", kMasculine},
    {"kitchen", "kitchens", "küche", "küchen", "küchen", kFeminine},
    {"house", "houses", "haus", "häuser", "häusern", kNeuter},
    {"school", "schools", "schule", "schulen", "schulen", kFeminine},
    {"room", "rooms", "zimmer", "zimmer", "zimmern", kNeuter},
    {"forest", "forests", "wald", "wälder", "wäldern", kMasculine},
});

constexpr auto kAdjectives = std::to_array<Adjective>({
    {"small", "klein"},
    {"big", "groß"},
    {"young", "jung"},
    {"funny", "lustig"},
    {"beautiful", "schön"},
    {"new", "neu"},
    {"strange", "fremd"},
    {"white", "weiß"},
});

constexpr auto kPronouns = std::to_array<Pronoun>({
    {"he", "er", false},
    {"she", "sie", false},
    {"they", "sie", true},
});

constexpr auto kAdverbs = std::to_array<Adverb>({
    {"today", "heute"},
    {"often", "oft"},
    {"again", "wieder"},
    {"here", "hier"},
});

constexpr auto kVerbs = std::to_array<Verb>({
    {"sleep", "sleeps", "slept", "schlafen", "schläft", "geschlafen"},
    {"laugh", "laughs", "laughed", "lachen", "lacht", "gelacht"},
    {"sing", "sings", "sung", "singen", "singt", "gesungen"},
    {"wait", "waits", "waited", "warten", "wartet", "gewartet"},
    {"see", "sees", "seen", "sehen", "sieht", "gesehen", Objects::kAny},
    {"find", "finds", "found", "finden", "findet", "gefunden", Objects::kAny},
    {"paint", "paints", "painted", "malen", "malt", "gemalt", Objects::kAny},
    {"carry", "carries", "carried", "tragen", "trägt", "getragen", Objects::kAny},
    {"wash", "washes", "washed", "waschen", "wäscht", "gewaschen", Objects::kAny},
    {"hear", "hears", "heard", "hören", "hört", "gehört", Objects::kAnimate},
    {"love", "loves", "loved", "lieben", "liebt", "geliebt", Objects::kAnimate},
    {"help", "helps", "helped", "helfen", "hilft", "geholfen", Objects::kAnimate, Case::kDative},
    {"buy", "buys", "bought", "kaufen", "kauft", "gekauft", Objects::kThing},
    {"give", "gives", "given", "geben", "gibt", "gegeben", Objects::kThing, Case::kAccusative,
     /*recipient=*/true},
    {"show", "shows", "shown", "zeigen", "zeigt", "gezeigt", Objects::kThing, Case::kAccusative,
     /*recipient=*/true},
});

constexpr auto kSpeechVerbs = std::to_array<Verb>({
    {"say", "says", "said", "sagen", "sagt", "gesagt"},
    {"believe", "believes", "believed", "glauben", "glaubt", "geglaubt"},
});

constexpr auto kModals = std::to_array<Modal>({
    {"want", "wants", true, "wollen", "will"},
    {"can", "can", false, "können", "kann"},
    {"must", "must", false, "müssen", "muss"},
});

using Forms = std::array<std::array<std::string_view, 4>, 3>;  // by case; m, f, n, plural

constexpr Forms kDefinite{{{"der", "die", "das", "die"},  //
                           {"den", "die", "das", "die"},
                           {"dem", "der", "dem", "den"}}};
constexpr Forms kIndefiniteEndings{{{"", "e", "", "e"},  //
                                    {"en", "e", "", "e"},
                                    {"em", "er", "em", "en"}}};
constexpr Forms kWeakEndings{{{"e", "e", "e", "en"},  //
                              {"en", "e", "e", "en"},
                              {"en", "en", "en", "en"}}};
constexpr Forms kMixedEndings{{{"er", "e", "es", "en"},  //
                               {"en", "e", "es", "en"},
                               {"en", "en", "en", "en"}}};

std::string form(const Forms& forms, Case noun_case, Gender gender, bool plural) {
  const auto column = plural ? std::size_t{3} : static_cast<std::size_t>(gender);
  return std::string(forms[static_cast<std::size_t>(noun_case)][column]);
}

}  // namespace

std::span<const Noun> nouns() { return kNouns; }
std::span<const Noun> animate_nouns() { return nouns().first(kAnimates); }
std::span<const Noun> things() { return nouns().subspan(kAnimates); }
std::span<const Noun> places() { return kPlaces; }
std::span<const Adjective> adjectives() { return kAdjectives; }
std::span<const Pronoun> pronouns() { return kPronouns; }
std::span<const Adverb> adverbs() { return kAdverbs; }
std::span<const Verb> verbs() { return kVerbs; }
std::span<const Verb> speech_verbs() { return kSpeechVerbs; }
std::span<const Modal> modals() { return kModals; }

std::string english(Determiner determiner) {
  if (determiner == Determiner::kThe) return "the";
  return determiner == Determiner::kA ? "a" : "my";
}

std::string german(Determiner determiner, Case noun_case, Gender gender, bool plural) {
  if (determiner == Determiner::kThe) return form(kDefinite, noun_case, gender, plural);
  const std::string stem = determiner == Determiner::kA ? "ein" : "mein";
  return stem + form(kIndefiniteEndings, noun_case, gender, plural);
}

std::string german(const Noun& noun, Case noun_case, bool plural) {
  if (!plural) return std::string(noun.german);
  return std::string(noun_case == Case::kDative ? noun.german_plural_dative : noun.german_plural);
}

std::string german(const Adjective& adjective, Determiner before, Case noun_case, Gender gender,
                   bool plural) {
  const auto& endings = before == Determiner::kThe ? kWeakEndings : kMixedEndings;
  return std::string(adjective.german) + form(endings, noun_case, gender, plural);
}

}  // namespace heed::data
