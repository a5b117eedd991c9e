#include "inspect/page.h"

#include "support/catch.h"

namespace heed::inspect {
namespace {

TEST_CASE("text is shown and never read as markup", "[inspect][page][unit]") {
  REQUIRE(escaped("</script><b a=\"x\" c='y'>&amp; \x01\x1b") ==
          "&lt;/script&gt;&lt;b a=&quot;x&quot; c=&#39;y&#39;&gt;&amp;amp;   ");
  REQUIRE(escaped("é 今 \xff") == "é 今 \xef\xbf\xbd");
}

TEST_CASE("a page is whole and reaches for nothing", "[inspect][page][unit]") {
  const auto html = page("a <run>", section("b & c", "<p>d</p>"));
  REQUIRE(html.starts_with("<!DOCTYPE html>"));
  REQUIRE_THAT(html, test::ContainsSubstring("<title>a &lt;run&gt;</title>"));
  REQUIRE_THAT(html, test::ContainsSubstring("<h2>b &amp; c</h2>\n<p>d</p>"));
  for (const auto* reach : {"http", "src=", "@import", "<script"}) {
    CAPTURE(reach);
    REQUIRE(html.find(reach) == std::string::npos);
  }
}

}  // namespace
}  // namespace heed::inspect
