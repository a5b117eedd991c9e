#include "eval/metric.h"

#include "eval/bleu.h"
#include "eval/chrf.h"
#include "eval/ter.h"
#include "support/catch.h"

namespace eval = heed::eval;

namespace {

using Lines = std::vector<std::string>;

const Lines kHypotheses = {"the cat sat on the mat", "a dog barked loudly", "", "yes"};
const Lines kReferences = {"the cat sat on a mat", "the dog barked", "no line", "yes"};

}  // namespace

TEST_CASE("the counts of lines add up to those of their corpus", "[eval][metric][unit]") {
  const eval::BleuMetric bleu;
  const auto counts = eval::count_lines(bleu, kHypotheses, {&kReferences, 1});
  REQUIRE(counts.size() == 4);
  CHECK(bleu.score(sum(bleu, counts)) == eval::corpus_bleu(kHypotheses, kReferences).score);
  CHECK(
      bleu.score(sum(bleu, counts, {1, 0})) ==
      eval::corpus_bleu({kHypotheses[0], kHypotheses[1]}, {kReferences[0], kReferences[1]}).score);
  CHECK(bleu.score(sum(bleu, counts, {})) == 0.0);
}

TEST_CASE("every metric gives as many counts as it says, and no score to nothing",
          "[eval][metric][unit]") {
  const eval::BleuMetric bleu;
  const eval::ChrfMetric chrf;
  const eval::ChrfMetric chrf_pp({.word_order = 2});
  const eval::TerMetric ter;
  for (const eval::Metric* metric :
       std::initializer_list<const eval::Metric*>{&bleu, &chrf, &chrf_pp, &ter}) {
    CHECK(metric->count("a b", Lines{"a c"}).size() == metric->width());
    CHECK(metric->count("", Lines{"", "a"}).size() == metric->width());
    CHECK(metric->score(std::vector<double>(metric->width())) == 0.0);
    CHECK(metric->score(std::vector<float>(metric->width())) == 0.0);
  }
}

// sacrebleu.corpus_bleu and others on the same lines with two references.
TEST_CASE("several references count as in sacreBLEU", "[eval][metric][golden]") {
  const std::vector<Lines> references = {
      {"the cat sat on a mat", "the dog barked", "no line", "yes"},
      {"the cat is on the mat", "a dog barked loudly at it", "", "yes it is"}};
  const auto score = [&](const eval::Metric& metric) {
    return metric.score(sum(metric, eval::count_lines(metric, kHypotheses, references)));
  };
  CHECK(std::abs(score(eval::BleuMetric()) - 80.34284189446517) < 1e-9);
  CHECK(std::abs(score(eval::ChrfMetric()) - 71.14822582791517) < 1e-9);
  CHECK(std::abs(score(eval::ChrfMetric({.word_order = 2})) - 69.41096537835834) < 1e-9);
  CHECK(std::abs(score(eval::TerMetric()) - 22.22222222222222) < 1e-9);
}

TEST_CASE("a signature tells references and resamples, in sacreBLEU's order",
          "[eval][metric][unit]") {
  const eval::Resampling resampling{.samples = 300, .seed = 7};
  CHECK(signature(eval::BleuMetric()) ==
        "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0");
  CHECK(signature(eval::TerMetric(), 2, &resampling) ==
        "nrefs:2|bs:300|seed:7|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:2.6.0");
}

TEST_CASE("files of unequal length, or none, are a mistake of the caller", "[eval][metric][unit]") {
  const std::vector<Lines> unequal = {kReferences, {"one"}};
  CHECK_THROWS_AS(eval::count_lines(eval::BleuMetric(), kHypotheses, unequal), std::logic_error);
  CHECK_THROWS_AS(eval::count_lines(eval::BleuMetric(), kHypotheses, {}), std::logic_error);
}
