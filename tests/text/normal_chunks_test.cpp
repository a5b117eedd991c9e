#include "text/normal_chunks.h"

#include <string>
#include <vector>

#include "base/random.h"
#include "support/catch.h"
#include "text/normalize.h"

namespace text = heed::text;

TEST_CASE("chunks are whole characters, in order, and together the line",
          "[text][normal_chunks][property]") {
  const auto seed = GENERATE(range(uint64_t{0}, uint64_t{20}));
  const auto bytes = GENERATE(1, 3, 40);
  const std::vector<std::string> parts = {"a",      "b ",     "e\u0301",    "\u3000",
                                          "\u200B", "\u00A8", "\u5929",     "\u1112",
                                          "\u1161", "\u11AB", "\U0001F600", "-"};
  heed::Random random({seed});
  std::string line;
  for (int i = 0; i < 60; ++i) line += parts[random.below(parts.size())];
  const text::Normalizer nfkc("nfkc", false);
  std::string joined, normalized;
  for (const auto chunk : text::normal_chunks(line, bytes)) {
    CHECK_FALSE(chunk.empty());
    joined += chunk;
    normalized += nfkc(std::string(chunk));
  }
  CHECK(joined == line);
  CHECK(normalized == nfkc(line));
}

TEST_CASE("a chunk ends after so many bytes where it can", "[text][normal_chunks][unit]") {
  using Chunks = std::vector<std::string_view>;
  CHECK(text::normal_chunks("abcdefg", 3) == Chunks{"abc", "def", "g"});
  CHECK(text::normal_chunks("abc", 3) == Chunks{"abc"});
  CHECK(text::normal_chunks("", 3).empty());
  CHECK(text::normal_chunks("ab  cde", 2) == Chunks{"ab  c", "de"});
  CHECK(text::normal_chunks("abe\u0301f", 3) == Chunks{"abe\u0301", "f"});
}
