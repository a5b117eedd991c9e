#include "data/check.h"

#include <algorithm>
#include <array>
#include <utility>

#include "data/corpus.h"
#include "data/in_parallel.h"
#include "data/line_facts.h"
#include "data/repeats.h"
#include "text/tokenizer.h"

namespace heed::data {
namespace {

constexpr int64_t kLinesAtOnce = 65536;
constexpr double kOneScript = 0.8;  // share of lines from which a side has a script of its own

enum Kind : std::size_t {
  kCopied,
  kRatio,
  kFewLetters,
  kLongWord,
  kControls,
  kIllFormed,
  kOtherScript
};

std::vector<SuspiciousLines> kinds() {
  return {{"copied", "source and target are the same"},
          {"ratio", "one side is over 3 times as long as the other"},
          {"few_letters", "less than half of it is letters"},
          {"long_word", "a word of over 40 characters"},
          {"controls", "control characters in it"},
          {"ill_formed", "ill-formed UTF-8, or U+FFFD itself"},
          {"other_script", "not in the script of the other lines"}};
}

/// What a thread finds out about a side of a line.
struct SideFacts {
  LineFacts text{};
  int64_t tokens = 0;
  int64_t unknown = 0;
  uint64_t name = 0;
};

struct WholeFacts {
  std::array<SideFacts, 2> sides{};
  Reason left_out = Reason::kNone;
  FoundLines::Line where{};
  int64_t label = -1;
};

WholeFacts whole_facts(const LineEncoder& encoder, int64_t line) {
  const auto encoded = encoder.encode(line);
  const auto& example = encoded.example;
  WholeFacts facts{
      .sides = {}, .left_out = encoded.left_out, .where = encoded.where, .label = example.label};
  for (int64_t side = 0; side < encoder.sides(); ++side) {
    const auto& words = encoder.text(line, side);
    const auto& ids = side == 0 ? example.source : example.target;
    facts.sides[side] = {.text = facts_of(words),
                         .tokens = std::ssize(ids),
                         .unknown = std::ranges::count(ids, text::kUnknown),
                         .name = name_of(words)};
  }
  return facts;
}

/// Adds line after line, in order.
class Tally {
 public:
  Tally(const std::string& name, const LineEncoder& encoder, const config::Data& config)
      : encoder_(encoder) {
    check_.name = name;
    check_.suspicious = kinds();
    check_.left_out.lines = encoder.lines();
    check_.left_out.max_len = config.max_len;
    check_.left_out.max_ratio = config.max_ratio;
    const bool translate = encoder.sides() == 2;
    sides_.resize(encoder.sides());
    check_.sides.push_back({.name = translate ? "source" : "text"});
    if (translate) check_.sides.push_back({.name = "target"});
  }

  void add(int64_t line, const WholeFacts& facts, const std::vector<std::string>& labels) {
    if (facts.left_out == Reason::kNone) {
      ++check_.used;
    } else {
      check_.left_out.add(facts.left_out, facts.where);
    }
    if (facts.label >= 0) ++check_.labels[labels.at(facts.label)];
    for (int64_t side = 0; side < std::ssize(sides_); ++side)
      add_side(line, side, facts.sides[side]);
    const auto second =
        sides_.size() > 1 ? facts.sides[1].name : static_cast<uint64_t>(facts.label);
    wholes_.push_back(mix({facts.sides[0].name, second}));
    blank_.push_back(
        std::ranges::any_of(sides_, [](const auto& side) { return side.blank.back(); }));
    if (sides_.size() > 1) add_pair(line, facts);
  }

  SplitCheck finish(const SplitCheck* train) {
    for (int64_t side = 0; side < std::ssize(sides_); ++side) finish_side(side, train);
    find(repeats(wholes_), blank_, 0, check_.repeated);
    if (train != nullptr) {
      find(places_known(wholes_, train->names.back()), blank_, 0, check_.in_train);
    }
    check_.names.push_back(sorted(std::move(wholes_)));
    return std::move(check_);
  }

 private:
  struct Side {
    LengthCounts characters, words, tokens;
    std::vector<uint64_t> names;
    std::vector<bool> blank;
    std::vector<text::Script> scripts;
  };

  void add_side(int64_t line, int64_t side, const SideFacts& facts) {
    auto& sums = sides_[side];
    sums.characters.add(facts.text.characters);
    sums.words.add(facts.text.words);
    sums.tokens.add(facts.tokens);
    sums.names.push_back(facts.name);
    sums.blank.push_back(facts.text.visible == 0);
    sums.scripts.push_back(facts.text.script);
    check_.sides[side].token_count += facts.tokens;
    check_.sides[side].unknown_count += facts.unknown;
    if (mostly_no_letters(facts.text)) suspect(kFewLetters, line, side);
    if (very_long_word(facts.text)) suspect(kLongWord, line, side);
    if (facts.text.controls) suspect(kControls, line, side);
    if (facts.text.ill_formed) suspect(kIllFormed, line, side);
  }

  void add_pair(int64_t line, const WholeFacts& facts) {
    const auto& [source, target] = facts.sides;
    if (source.name == target.name && source.text.letters > 0) suspect(kCopied, line, 0);
    const bool both = source.tokens > 0 && target.tokens > 0;
    if (both && unbalanced(source.tokens, target.tokens, kSuspiciousRatio))
      suspect(kRatio, line, 0);
  }

  void finish_side(int64_t side, const SplitCheck* train) {
    auto& sums = sides_[side];
    auto& out = check_.sides[side];
    out.characters = sums.characters.summary();
    out.words = sums.words.summary();
    out.tokens = sums.tokens.summary();
    find(repeats(sums.names), sums.blank, side, out.repeated);
    if (train != nullptr) {
      find(places_known(sums.names, train->names[side]), sums.blank, side, out.in_train);
    }
    check_.names.push_back(sorted(std::move(sums.names)));
    find_other_scripts(side);
  }

  void find_other_scripts(int64_t side) {
    const auto& scripts = sides_[side].scripts;
    std::map<text::Script, int64_t> counts;
    for (const auto script : scripts) ++counts[script];
    counts.erase(text::kNoScript);
    int64_t all = 0;
    for (const auto& [script, count] : counts) all += count;
    const auto most = std::ranges::max_element(counts, {}, [](const auto& c) { return c.second; });
    if (all == 0 || static_cast<double>(most->second) < kOneScript * static_cast<double>(all))
      return;
    for (int64_t line = 0; line < std::ssize(scripts); ++line) {
      const auto script = scripts[line];
      if (script != text::kNoScript && script != most->first) suspect(kOtherScript, line, side);
    }
  }

  void suspect(Kind kind, int64_t line, int64_t side) {
    check_.suspicious[kind].lines.add(encoder_.place(line, side));
  }

  /// Adds the lines that are not blank.
  void find(const std::vector<int64_t>& lines, const std::vector<bool>& blank, int64_t side,
            FoundLines& out) const {
    for (const auto line : lines) {
      if (!blank[line]) out.add(encoder_.place(line, side));
    }
  }

  static std::vector<uint64_t> sorted(std::vector<uint64_t> names) {
    std::ranges::sort(names);
    return names;
  }

  const LineEncoder& encoder_;
  SplitCheck check_{};
  std::vector<Side> sides_;
  std::vector<uint64_t> wholes_;
  std::vector<bool> blank_;  // one side or the other
};

}  // namespace

double SideCheck::unknown_share() const {
  return token_count == 0 ? 0.0
                          : static_cast<double>(unknown_count) / static_cast<double>(token_count);
}

SplitCheck check_split(const std::string& name, LineEncoder& encoder,
                       const std::vector<std::string>& labels, const config::Data& config,
                       int64_t threads, const SplitCheck* train) {
  Tally tally(name, encoder, config);
  for (int64_t begin = 0; begin < encoder.lines(); begin += kLinesAtOnce) {
    const auto end = std::min(begin + kLinesAtOnce, encoder.lines());
    std::vector<WholeFacts> facts(end - begin);
    in_parallel(begin, end, threads, [&](int64_t from, int64_t to) {
      for (auto line = from; line < to; ++line) facts[line - begin] = whole_facts(encoder, line);
    });
    for (auto line = begin; line < end; ++line) tally.add(line, facts[line - begin], labels);
    encoder.forget(begin, end);
  }
  auto check = tally.finish(train);
  check_left(check.left_out, check.used, encoder.place(0, 0).file);
  return check;
}

}  // namespace heed::data
