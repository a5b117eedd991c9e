#include "text/gzip.h"

#include <iterator>
#include <sstream>
#include <string>

#include <zlib.h>

#include "base/error.h"
#include "base/files.h"
#include "base/random.h"
#include "support/catch.h"
#include "support/scratch.h"
#include "text/lines.h"

using heed::test::ContainsSubstring;
namespace text = heed::text;

namespace {

/// `bytes` as one gzip member.
std::string zipped(const std::string& bytes) {
  const heed::test::ScratchDirectory scratch;
  const auto file = (scratch / "file.gz").string();
  auto* stream = gzopen(file.c_str(), "wb");
  gzwrite(stream, bytes.data(), static_cast<unsigned>(bytes.size()));
  gzclose(stream);
  return heed::read_file(file);
}

/// Letters that pack badly, so that the file has many blocks.
std::string long_text(int64_t lines) {
  heed::Random random({7});
  std::string out;
  for (int64_t i = 0; i < lines; ++i) {
    for (int64_t k = 0; k < 60; ++k) out += static_cast<char>('a' + random.below(26));
    out += '\n';
  }
  return out;
}

std::string unzipped(const std::string& bytes, std::string* fault = nullptr) {
  std::istringstream stream(bytes);
  text::GzipBuffer buffer(stream);
  std::istream reader(&buffer);
  std::string out(std::istreambuf_iterator<char>(reader), {});
  if (fault != nullptr) *fault = buffer.fault();
  return out;
}

}  // namespace

TEST_CASE("a gzip file is told by its first two bytes, which stay to be read",
          "[text][gzip][unit]") {
  const auto told = [](const std::string& bytes) {
    std::istringstream stream(bytes);
    const bool gzip = text::gzip_next(stream);
    CHECK(std::string(std::istreambuf_iterator<char>(stream), {}) == bytes);
    return gzip;
  };
  CHECK(told(zipped("a\n")));
  CHECK(told(zipped("")));
  CHECK_FALSE(told(""));
  CHECK_FALSE(told("\x1f"));
  CHECK_FALSE(told("\x1f\n"));
  CHECK_FALSE(told("plain\n"));
}

TEST_CASE("what was packed comes out, from any number of members", "[text][gzip][unit]") {
  const auto text = long_text(5000);
  CHECK(unzipped(zipped(text)) == text);
  CHECK(unzipped(zipped("")).empty());
  CHECK(unzipped(zipped("a\nb") + zipped("") + zipped("c\n")) == "a\nbc\n");
  CHECK(unzipped(zipped("a\n") + std::string(1000, '\0')) == "a\n");
}

TEST_CASE("a gzip file cut anywhere has a fault, and so has a damaged one",
          "[text][gzip][property]") {
  const auto whole = zipped(long_text(3000));
  for (const double share : {0.0001, 0.1, 0.5, 0.9, 0.9999}) {
    std::string fault;
    unzipped(whole.substr(0, 2 + static_cast<std::size_t>(share * (whole.size() - 3))), &fault);
    CHECK_THAT(fault, ContainsSubstring("byte"));
  }
  for (const double share : {0.3, 0.7, 0.99999}) {
    auto damaged = whole;
    damaged[static_cast<std::size_t>(share * static_cast<double>(whole.size()))] ^= 0x55;
    std::string fault;
    unzipped(damaged, &fault);
    CHECK_FALSE(fault.empty());
  }
  std::string fault;
  CHECK(unzipped(zipped("a\n") + "rubbish", &fault) == "a\n");
  CHECK_THAT(fault, ContainsSubstring("byte"));
}

TEST_CASE("lines of a gzipped file are those of the plain one, and damage is named with its place",
          "[text][gzip][unit]") {
  const heed::test::ScratchDirectory scratch;
  const auto file = (scratch / "lines").string();  // the name says nothing
  heed::write_file(file, zipped("\xEF\xBB\xBF"
                                "a\r\n\xff\nlast"));
  int64_t replaced = 0;
  CHECK(text::read_lines(file, &replaced) == std::vector<std::string>{"a", "\uFFFD", "last"});
  CHECK(replaced == 1);

  const auto whole = zipped(long_text(3000));
  heed::write_file(file, whole.substr(0, whole.size() / 2));
  CHECK_THROWS_AS(text::read_lines(file, &replaced), heed::DataError);
  CHECK_THROWS_WITH(text::read_lines(file, &replaced), ContainsSubstring(file + ":1") &&
                                                           ContainsSubstring("damaged gzip file") &&
                                                           ContainsSubstring("byte"));
  heed::write_file(file, whole.substr(0, whole.size() - 2));  // all lines, half of the check sum
  CHECK_THROWS_WITH(text::read_lines(file, &replaced), ContainsSubstring(":3001: damaged"));
}
