#include "base/error.h"
#include "fuzz/input.h"
#include "text/vocabulary.h"

/// A vocabulary file is refused, or its lines make the same vocabulary.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace heed;
  try {
    const auto first = text::Vocabulary::open(fuzz::as_file(fuzz::text_of(data, size), "first"));
    const auto again = text::Vocabulary::open(fuzz::as_file(first.lines(), "again"));
    fuzz::require(again.lines() == first.lines());
    fuzz::require(again.size() == first.size());
    for (int64_t id = 4; id < first.size(); ++id) fuzz::require(first.id(first.piece(id)) == id);
  } catch (const DataError&) {
  }
  return 0;
}
