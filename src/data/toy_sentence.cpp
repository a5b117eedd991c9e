#include "data/toy_sentence.h"

#include <algorithm>

namespace heed::data {

/// Writes one clause, English first: German takes the places of its words from there.
class ClauseWriter {
 public:
  ClauseWriter(const Clause& clause, Order order, Sentence& out)
      : clause_(clause), out_(out), order_(order) {
    const bool fronted = clause.fronted && order == Order::kMain;
    front_adverb_ = fronted && clause.adverb != nullptr;
    front_place_ = fronted && clause.adverb == nullptr && clause.place.has_value();
  }

  void write_english() {
    if (front_adverb_) adverb_ = out_.say_english(clause_.adverb->english);
    if (front_place_) say_english_place();
    subject_ = out_.add_english(clause_.subject);
    say_english_verb();
    if (clause_.recipient) recipient_ = out_.add_english(*clause_.recipient);
    if (clause_.object) object_ = out_.add_english(*clause_.object);
    if (clause_.place && !front_place_) say_english_place();
    if (clause_.adverb != nullptr && !front_adverb_) {
      adverb_ = out_.say_english(clause_.adverb->english);
    }
  }

  void write_german() const {
    const bool front = front_adverb_ || front_place_;
    if (front_adverb_) say_german_adverb();
    if (front_place_) say_german_place();
    if (front || order_ == Order::kInverted) say_finite();
    out_.add_german(clause_.subject, Case::kNominative, subject_);
    if (!front && order_ == Order::kMain) say_finite();
    if (clause_.adverb != nullptr && !front_adverb_) say_german_adverb();
    if (clause_.recipient) out_.add_german(*clause_.recipient, Case::kDative, recipient_);
    if (clause_.object) out_.add_german(*clause_.object, clause_.verb->object_case, object_);
    if (clause_.place && !front_place_) say_german_place();
    say_non_finite();
    if (order_ == Order::kSubordinate) say_finite();
  }

 private:
  bool plural() const {
    const auto& subject = clause_.subject;
    return subject.pronoun != nullptr ? subject.pronoun->plural : subject.plural;
  }

  void say_english_place() {
    preposition_ = out_.say_english(clause_.place->english);
    place_ = out_.add_english(clause_.place->phrase);
  }

  void say_english_verb() {
    const auto& verb = *clause_.verb;
    switch (clause_.tense) {
      case Tense::kPresent:
        finite_ = out_.say_english(plural() ? verb.english : verb.english_third);
        return;
      case Tense::kPerfect:
        finite_ = out_.say_english(plural() ? "have" : "has");
        non_finite_ = out_.say_english(verb.english_participle);
        return;
      case Tense::kModal:
        const auto& modal = *clause_.modal;
        finite_ = out_.say_english(plural() ? modal.english : modal.english_third);
        if (modal.to) out_.say_english("to");
        non_finite_ = out_.say_english(verb.english);
        return;
    }
  }

  void say_german_adverb() const { out_.say_german(std::string(clause_.adverb->german), adverb_); }

  void say_german_place() const {
    out_.say_german(clause_.place->german, preposition_);
    out_.add_german(clause_.place->phrase, Case::kDative, place_);
  }

  void say_finite() const {
    const auto& verb = *clause_.verb;
    std::string_view word = plural() ? verb.german : verb.german_third;
    if (clause_.tense == Tense::kPerfect) word = plural() ? "haben" : "hat";
    if (clause_.tense == Tense::kModal) {
      word = plural() ? clause_.modal->german : clause_.modal->german_third;
    }
    out_.say_german(std::string(word), finite_);
  }

  void say_non_finite() const {
    if (clause_.tense == Tense::kPresent) return;
    const auto& verb = *clause_.verb;
    const auto word = clause_.tense == Tense::kPerfect ? verb.german_participle : verb.german;
    out_.say_german(std::string(word), non_finite_);
  }

  const Clause& clause_;
  Sentence& out_;
  Order order_;
  bool front_adverb_ = false;
  bool front_place_ = false;

  // Places of English words.
  int64_t subject_ = 0;
  int64_t finite_ = 0;
  int64_t non_finite_ = 0;
  int64_t recipient_ = 0;
  int64_t object_ = 0;
  int64_t preposition_ = 0;
  int64_t place_ = 0;
  int64_t adverb_ = 0;
};

void Sentence::add(const Clause& clause, Order order) {
  ClauseWriter writer(clause, order, *this);
  writer.write_english();
  writer.write_german();
}

void Sentence::add(const std::string& english, const std::string& german) {
  if (!english.empty()) say_english(english);
  if (german.empty()) return;
  if (english.empty()) {
    german_.push_back(german);
  } else {
    say_german(german, std::ssize(english_) - 1);
  }
}

std::vector<std::pair<int64_t, int64_t>> Sentence::links() const {
  auto sorted = links_;
  std::ranges::sort(sorted);
  return sorted;
}

int64_t Sentence::say_english(std::string_view word) {
  english_.emplace_back(word);
  return std::ssize(english_) - 1;
}

void Sentence::say_german(std::string word, int64_t english_place) {
  links_.emplace_back(english_place, std::ssize(german_));
  german_.push_back(std::move(word));
}

int64_t Sentence::add_english(const NounPhrase& phrase) {
  if (phrase.pronoun != nullptr) return say_english(phrase.pronoun->english);
  const auto first = say_english(data::english(phrase.determiner));
  if (phrase.adjective != nullptr) say_english(phrase.adjective->english);
  say_english(phrase.plural ? phrase.noun->english_plural : phrase.noun->english);
  return first;
}

void Sentence::add_german(const NounPhrase& phrase, Case noun_case, int64_t first) {
  if (phrase.pronoun != nullptr) return say_german(std::string(phrase.pronoun->german), first);
  const auto gender = phrase.noun->gender;
  say_german(data::german(phrase.determiner, noun_case, gender, phrase.plural), first++);
  if (phrase.adjective != nullptr) {
    say_german(data::german(*phrase.adjective, phrase.determiner, noun_case, gender, phrase.plural),
               first++);
  }
  say_german(data::german(*phrase.noun, noun_case, phrase.plural), first);
}

}  // namespace heed::data
