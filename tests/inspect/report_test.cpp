#include "inspect/report.h"

#include "base/error.h"
#include "base/files.h"
#include "support/catch.h"
#include "support/scratch.h"

namespace heed::inspect {
namespace {

using test::ContainsSubstring;

TEST_CASE("a page is made of what a run recorded, hostile text included",
          "[inspect][report][unit]") {
  const test::ScratchDirectory run;
  write_file(run / "config.json", "{\"task\": \"translate\"}");
  write_file(
      run / "metrics.jsonl",
      "{\"event\": \"step\", \"step\": 1, \"loss\": 5.0, \"lr\": 0.1, \"seconds\": 2.0}\n"
      "{\"event\": \"step\", \"step\": 2, \"loss\": null, \"lr\": 0.2, \"seconds\": 3.0}\n"
      "{\"event\": \"note\", \"message\": \"<img src=x>\"}\n"
      "{\"event\": \"eval\", \"step\": 2, \"loss\": 4.0, \"bleu\": 12.5, \"samples\": "
      "[{\"source\": \"<b>a\", \"result\": \"r\", \"reference\": \"f\"}]}\n"
      "{\"event\": \"attention\", \"step\": 1, \"heads\": [{\"kind\": \"cross\", \"layer\": 0, "
      "\"head\": 1, \"entropy\": 0.91, \"largest\": 0.2}]}\n"
      "{\"event\": \"attention\", \"step\": 2, \"heads\": [{\"kind\": \"cross\", \"layer\": 0, "
      "\"head\": 1, \"entropy\": 0.5, \"largest\": 0.6}]}\n"
      "{\"event\": \"tensors\", \"step\": 2, \"grad_norm\": {\"<i>w\": 3.25}, "
      "\"update_ratio\": {\"<i>w\": 0.001}}\n"
      "{\"event\": \"step\", \"st");
  write_file(run / "best.json", "{\"step\": 2, \"score\": 12.5}");
  write_file(run / "card.json", "{\"seed\": 7}");
  const auto html = report_page(run.path());
  REQUIRE_THAT(html, ContainsSubstring("2 steps in 3 s · best at step 2, score 12.5"));
  REQUIRE_THAT(html, ContainsSubstring("Loss per token"));
  REQUIRE_THAT(html, ContainsSubstring("<td class=\"n\">12.5</td>"));
  REQUIRE_THAT(html, ContainsSubstring("&lt;b&gt;a"));
  REQUIRE_THAT(html, ContainsSubstring("&lt;img src=x&gt;"));
  REQUIRE_THAT(html, ContainsSubstring("<td>cross 0.1</td><td class=\"n\">0.91 → 0.50</td>"));
  REQUIRE_THAT(html, ContainsSubstring("Entropy of attention"));
  REQUIRE_THAT(html, ContainsSubstring("<td>&lt;i&gt;w</td><td class=\"n\">3.25</td>"));
  REQUIRE_THAT(html, ContainsSubstring("<th>seed</th><td>7</td>"));
  REQUIRE(html.find("<img") == std::string::npos);
  REQUIRE(html.find("Gradient norm") == std::string::npos);  // nothing to draw
}

TEST_CASE("a run without a step says so, and what is no run is refused",
          "[inspect][report][unit]") {
  const test::ScratchDirectory run;
  REQUIRE_THROWS_AS(report_page(run.path()), CheckpointError);
  write_file(run / "config.json", "{}");
  REQUIRE_THAT(report_page(run.path()), ContainsSubstring("No step is recorded yet."));
}

}  // namespace
}  // namespace heed::inspect
