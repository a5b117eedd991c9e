#include "eval/bootstrap.h"

#include <memory>

#include <nlohmann/json.hpp>

#include "eval/bleu.h"
#include "eval/chrf.h"
#include "eval/ter.h"
#include "support/catch.h"
#include "support/golden.h"

namespace eval = heed::eval;

namespace {

using Lines = std::vector<std::string>;

std::unique_ptr<eval::Metric> metric_of(const std::string& key) {
  if (key == "bleu") return std::make_unique<eval::BleuMetric>();
  if (key == "ter") return std::make_unique<eval::TerMetric>();
  return std::make_unique<eval::ChrfMetric>(
      eval::ChrfOptions{.word_order = key == "chrf_pp" ? 2 : 0});
}

}  // namespace

TEST_CASE("intervals and p-values equal those of sacreBLEU's paired bootstrap",
          "[eval][bootstrap][golden]") {
  for (const auto& test : heed::test::golden("eval_bootstrap.json")["tests"]) {
    const auto references = test["references"].get<Lines>();
    const eval::Resampling resampling{.samples = test["samples"]};
    for (const auto& [key, expected] : test["results"].items()) {
      INFO(key << " of " << references.size() << " lines");
      const auto metric = metric_of(key);
      std::vector<double> scores;
      std::vector<eval::Bootstrap> systems;
      for (const std::string system : {"baseline", "system"}) {
        const auto counts = count_lines(*metric, test[system].get<Lines>(), {&references, 1});
        scores.push_back(metric->score(sum(*metric, counts)));
        systems.emplace_back(*metric, counts, resampling);
        const auto confidence = systems.back().confidence();
        CHECK(std::abs(scores.back() - expected[system]["score"].get<double>()) < 1e-9);
        CHECK(std::abs(confidence.mean - expected[system]["mean"].get<double>()) < 1e-9);
        CHECK(std::abs(confidence.interval - expected[system]["ci"].get<double>()) < 1e-9);
      }
      const auto difference = std::abs(scores[0] - scores[1]);
      CHECK(paired_p_value(systems[0], systems[1], difference) ==
            expected["p_value"].get<double>());
      CHECK(signature(*metric, 1, &resampling) == expected["signature"].get<std::string>());
    }
  }
}

TEST_CASE("a system compared with itself gets sacreBLEU's lowest p-value",
          "[eval][bootstrap][unit]") {
  const eval::ChrfMetric metric;
  const Lines lines = {"a b c", "d e", "f"};
  const Lines references = {"a b x", "d e", "g"};
  const eval::Bootstrap system(metric, count_lines(metric, lines, {&references, 1}),
                               {.samples = 99});
  CHECK(system.scores().size() == 99);
  CHECK(paired_p_value(system, system, 0.0) == 1.0 / 100);  // no sample differs by more than 0
}

TEST_CASE("a seed names its resamples", "[eval][bootstrap][unit]") {
  const eval::TerMetric metric;
  const Lines lines = {"a b c", "d e", "f", "g h"};
  const Lines references = {"a b x", "d e", "g", "g"};
  const auto counts = count_lines(metric, lines, {&references, 1});
  const eval::Bootstrap one(metric, counts, {.samples = 50, .seed = 1});
  const eval::Bootstrap same(metric, counts, {.samples = 50, .seed = 1});
  const eval::Bootstrap other(metric, counts, {.samples = 50, .seed = 2});
  CHECK(one.scores() == same.scores());
  CHECK(one.scores() != other.scores());
}
