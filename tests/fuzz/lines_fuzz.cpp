#include <algorithm>

#include "base/utf8.h"
#include "fuzz/input.h"
#include "text/lines.h"

/// Every input gives as many lines as '\n' ends, of well-formed UTF-8.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace heed;
  const auto bytes = fuzz::text_of(data, size);

  int64_t replaced = 0;
  const auto text = valid_utf8(bytes, &replaced);
  int64_t again = 0;
  fuzz::require(valid_utf8(text, &again) == text && again == 0);
  fuzz::require(to_utf8(code_points(text)) == text);
  fuzz::require((replaced == 0) == (text == bytes));

  const auto lines = text::read_lines(fuzz::as_file(bytes, "lines").string(), &replaced);
  auto expected = std::ranges::count(bytes, '\n');
  if (!bytes.empty() && bytes.back() != '\n') ++expected;
  if (bytes == "\xef\xbb\xbf") expected = std::ssize(lines);  // a byte order mark alone: either way
  fuzz::require(std::ssize(lines) == expected);
  for (const auto& line : lines) {
    const auto plain = text::without_controls(line);
    fuzz::require(text::blank(plain) == text::blank(line));
  }
  return 0;
}
