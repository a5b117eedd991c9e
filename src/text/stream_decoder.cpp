#include "text/stream_decoder.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

namespace heed::text {
namespace {

constexpr std::string_view kReplacement = "\uFFFD";  // what an unfinished character shows as

}  // namespace

std::string StreamDecoder::advance(std::size_t end) {
  const auto begin = std::exchange(given_, std::max(given_, end));
  return text_.substr(begin, given_ - begin);
}

/// What two pieces in a row agree on stands: a piece bears on the one before it at most.
std::string StreamDecoder::push(int64_t id) {
  ids_.push_back(id);
  const auto earlier = std::exchange(text_, tokenizer_.decode(ids_));
  std::size_t end = std::ranges::mismatch(earlier, text_).in1 - earlier.begin();
  while (end > 0 && end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xC0) == 0x80) {
    --end;
  }
  while (std::string_view(text_).substr(0, end).ends_with(kReplacement)) end -= kReplacement.size();
  return advance(end);
}

std::string StreamDecoder::finish() {
  auto rest = advance(text_.size());
  ids_.clear();
  text_.clear();
  given_ = 0;
  return rest;
}

}  // namespace heed::text
