#include "base/one_line.h"

#include <string>

#include "support/catch.h"

TEST_CASE("control characters are written out, whatever else is kept", "[base][one_line][unit]") {
  CHECK(heed::on_one_line("a\nb\tc\x7f") == "a\\x0ab\\x09c\\x7f");
  CHECK(heed::on_one_line(std::string("ELF\0\x02 rest", 10)) == "ELF\\x00\\x02 rest");
  CHECK(heed::on_one_line("für 天气 \\n") == "für 天气 \\n");
  CHECK(heed::on_one_line("").empty());
}
