#pragma once

#include <cmath>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "decode/scorer.h"

namespace heed::test {

using Ids = std::vector<int64_t>;

/// Next-token probabilities by prefix (without the begin token), so that the best answer can be
/// known. One table a sentence; rows follow `select` as a model's caches must.
class StubScorer final : public decode::Scorer {
 public:
  using Table = std::map<Ids, std::vector<float>>;  // prefix -> log p of every id

  StubScorer(std::vector<Table> tables, int64_t vocabulary)
      : tables_(std::move(tables)), vocabulary_(vocabulary) {
    for (std::size_t i = 0; i < tables_.size(); ++i) rows_.push_back({i, {}});
  }

  int64_t vocabulary() const override { return vocabulary_; }

  torch::Tensor next(const torch::Tensor& ids) override {
    auto log_p = torch::empty({ids.size(0), vocabulary_});
    TORCH_CHECK(ids.size(0) == std::ssize(rows_), ids.size(0), " ids for ", rows_.size(), " rows");
    for (int64_t row = 0; row < ids.size(0); ++row) {
      auto& [sentence, prefix] = rows_[row];
      if (!first_) prefix.push_back(ids[row].item<int64_t>());
      const auto found = tables_[sentence].find(prefix);
      if (found == tables_[sentence].end()) {
        log_p[row].fill_(-20.0);
      } else {
        log_p[row] = torch::tensor(found->second);
      }
    }
    first_ = false;
    steps_ += 1;
    row_steps_ += ids.size(0);
    return log_p;
  }

  void select(const torch::Tensor& rows, const torch::Tensor& memory_rows) override {
    std::vector<Row> kept;
    for (int64_t i = 0; i < rows.size(0); ++i) kept.push_back(rows_.at(rows[i].item<int64_t>()));
    rows_ = std::move(kept);
    if (memory_rows.defined()) memory_selections_ += 1;
  }

  int64_t steps() const { return steps_; }
  int64_t row_steps() const { return row_steps_; }  // rows of all steps
  int64_t memory_selections() const { return memory_selections_; }

 private:
  struct Row {
    std::size_t sentence;
    Ids prefix;
  };
  std::vector<Table> tables_;
  int64_t vocabulary_;
  std::vector<Row> rows_;
  bool first_ = true;
  int64_t steps_ = 0;
  int64_t row_steps_ = 0;
  int64_t memory_selections_ = 0;
};

inline constexpr int64_t kE = 3;
inline constexpr int64_t kA = 4;
inline constexpr int64_t kB = 5;

/// A model in which the ending that looks best early is not the best one.
inline StubScorer::Table late_winner() {
  const auto row = [](double a, double b, double e) {
    const float none = -std::numeric_limits<float>::infinity();
    const auto log_p = [](double p) { return static_cast<float>(std::log(p)); };
    return std::vector<float>{none, none, none, log_p(e), log_p(a), log_p(b)};
  };
  return {
      {{}, row(.55, .25, .20)},         {{kA}, row(.1, .4, .5)},
      {{kB}, row(.9, .05, .05)},        {{kA, kA}, row(0, 0, 1)},
      {{kA, kB}, row(.5, 0, .5)},       {{kB, kA}, row(0, .95, .05)},
      {{kB, kB}, row(0, 0, 1)},         {{kA, kB, kA}, row(0, 0, 1)},
      {{kB, kA, kB}, row(.05, 0, .95)}, {{kB, kA, kB, kA}, row(0, 0, 1)},
  };
}

/// Every prefix of up to `limit` - 1 tokens, with random probabilities. Ids below 3 are impossible.
inline StubScorer::Table random_table(int64_t vocabulary, int64_t limit) {
  StubScorer::Table table;
  std::vector<Ids> prefixes{{}};
  for (int64_t length = 0; length < limit; ++length) {
    std::vector<Ids> longer;
    for (const auto& prefix : prefixes) {
      auto logits = torch::randn({vocabulary}) * 1.5;
      logits.narrow(0, 0, 3).fill_(-std::numeric_limits<float>::infinity());
      const auto log_p = logits.log_softmax(0);
      table[prefix] = {log_p.data_ptr<float>(), log_p.data_ptr<float>() + vocabulary};
      for (int64_t id = kE + 1; id < vocabulary; ++id) {
        longer.push_back(prefix);
        longer.back().push_back(id);
      }
    }
    prefixes = std::move(longer);
  }
  return table;
}

}  // namespace heed::test
