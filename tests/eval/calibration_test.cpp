#include "eval/calibration.h"

#include <nlohmann/json.hpp>

#include "support/catch.h"
#include "support/golden.h"

using heed::eval::calibration;
using heed::eval::top_k_accuracy;

namespace {

using Rows = std::vector<std::vector<double>>;

bool near(double a, double b) { return std::abs(a - b) < 1e-12; }

}  // namespace

TEST_CASE("calibration and top-k accuracy equal NumPy's", "[eval][calibration][golden]") {
  for (const auto& example : heed::test::golden("eval_calibration.json").at("cases")) {
    const auto rows = example["probabilities"].get<Rows>();
    const auto labels = example["labels"].get<std::vector<int64_t>>();
    const auto scores = calibration(rows, labels, 15);
    CHECK(near(scores.ece, example["ece_15"]));
    CHECK(near(calibration(rows, labels, 10).ece, example["ece_10"]));
    CHECK(near(scores.brier, example["brier"]));
    CHECK(near(scores.confidence, example["confidence"]));
    for (std::size_t k = 1; k <= rows.front().size(); ++k) {
      CHECK(near(top_k_accuracy(rows, labels, static_cast<int64_t>(k)), example["top_k"][k - 1]));
    }
  }
}

TEST_CASE("a bin holds its upper bound", "[eval][calibration][unit]") {
  const auto scores = calibration({{0.5, 0.5}, {0.25, 0.75}, {0.0, 1.0}}, {0, 0, 1}, 2);
  REQUIRE(scores.bins.size() == 2);
  CHECK(scores.bins[0].texts == 1);
  CHECK(scores.bins[0].confidence == 0.5);
  CHECK(scores.bins[0].accuracy == 1.0);
  CHECK(scores.bins[1].texts == 2);
  CHECK(scores.bins[1].confidence == 0.875);
  CHECK(scores.bins[1].accuracy == 0.5);
  CHECK(near(scores.ece, (0.5 + 2 * 0.375) / 3));
  CHECK(near(scores.brier, (0.5 + 2 * 0.5625) / 3));
}

TEST_CASE("sure and right is no error, sure and wrong the greatest", "[eval][calibration][unit]") {
  CHECK(calibration({{1.0, 0.0}}, {0}, 10).ece == 0.0);
  CHECK(calibration({{1.0, 0.0}}, {0}, 10).brier == 0.0);
  CHECK(calibration({{1.0, 0.0}}, {1}, 10).ece == 1.0);
  CHECK(calibration({{1.0, 0.0}}, {1}, 10).brier == 2.0);
}

TEST_CASE("of equally probable labels the first go first", "[eval][calibration][unit]") {
  CHECK(top_k_accuracy({{0.25, 0.25, 0.5}}, {0}, 2) == 1.0);
  CHECK(top_k_accuracy({{0.25, 0.25, 0.5}}, {1}, 2) == 0.0);
  CHECK(top_k_accuracy({{0.25, 0.25, 0.5}}, {1}, 9) == 1.0);
}

TEST_CASE("no text gives zeros, and a strange label is a mistake of the caller",
          "[eval][calibration][unit]") {
  CHECK(calibration({}, {}, 10).ece == 0.0);
  CHECK(top_k_accuracy({}, {}, 1) == 0.0);
  CHECK_THROWS_AS(calibration({{1.0}}, {}, 10), std::logic_error);
  CHECK_THROWS_AS(calibration({{1.0}}, {1}, 10), std::logic_error);
}
