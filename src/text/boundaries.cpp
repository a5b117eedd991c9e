#include "text/boundaries.h"

#include <memory>
#include <stdexcept>

#include <unicode/brkiter.h>
#include <unicode/locid.h>
#include <unicode/utext.h>

#include "base/utf8.h"
#include "text/characters.h"

namespace heed::text {
namespace {

void check(UErrorCode status) {
  if (U_FAILURE(status)) {
    throw std::logic_error(std::string("ICU's break iterator: ") + u_errorName(status));
  }
}

std::unique_ptr<icu::BreakIterator> make_iterator(Unit unit) {
  auto* const make = unit == Unit::kSentence ? &icu::BreakIterator::createSentenceInstance
                     : unit == Unit::kWord   ? &icu::BreakIterator::createWordInstance
                                             : &icu::BreakIterator::createCharacterInstance;
  UErrorCode status = U_ZERO_ERROR;
  std::unique_ptr<icu::BreakIterator> iterator(make(icu::Locale::getRoot(), status));
  check(status);
  return iterator;
}

/// Whether what stands between two boundaries goes with the unit before it.
bool follows(const std::string& unit, const std::string& before) {
  const char32_t first = code_points(unit).front();
  if (is_space(first)) return true;
  return is_punctuation(first) && !is_space(code_points(before).back());
}

}  // namespace

std::vector<std::size_t> unit_ends(const std::string& text, Unit unit) {
  if (text.empty()) return {};
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<UText, decltype(&utext_close)> view(
      utext_openUTF8(nullptr, text.data(), static_cast<int64_t>(text.size()), &status),
      &utext_close);
  check(status);
  const auto iterator = make_iterator(unit);
  iterator->setText(view.get(), status);
  check(status);

  std::vector<std::size_t> ends;
  std::size_t begin = 0, last = 0;  // of the unit before the next boundary, and of its last part
  iterator->first();
  for (auto next = iterator->next(); next != icu::BreakIterator::DONE; next = iterator->next()) {
    const auto end = static_cast<std::size_t>(next);
    const bool joins = unit != Unit::kCharacter && !ends.empty() &&
                       follows(text.substr(last, end - last), text.substr(begin, last - begin));
    if (joins) {
      ends.back() = end;
    } else {
      begin = last;
      ends.push_back(end);
    }
    last = end;
  }
  return ends;
}

}  // namespace heed::text
