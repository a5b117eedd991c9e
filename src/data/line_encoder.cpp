#include "data/line_encoder.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>

#include "base/error.h"
#include "data/text_pair.h"
#include "text/lines.h"

namespace heed::data {
namespace {

class PairEncoder final : public LineEncoder {
 public:
  PairEncoder(Pairs pairs, text::Tokenizers tokenizers, const config::Data& config)
      : pairs_(std::move(pairs)), tokenizers_(std::move(tokenizers)), config_(config) {}

  int64_t lines() const override { return std::ssize(pairs_.source); }

  int64_t sides() const override { return 2; }

  const std::string& text(int64_t line, int64_t side) const override {
    return (side == 0 ? pairs_.source : pairs_.target)[line];
  }

  FoundLines::Line place(int64_t line, int64_t side) const override {
    const auto place = pairs_.place(line);
    return {.file = side == 0 ? place.source_file : place.target_file, .number = place.line};
  }

  LineExample encode(int64_t line) const override {
    LineExample out{.example = ids(line, nullptr)};
    const std::array tokens{std::ssize(out.example.source), std::ssize(out.example.target)};
    for (int64_t side = 0; side < 2; ++side) {
      if (tokens[side] > 0 && !heed::text::blank(text(line, side))) continue;
      leave_out(out, line, side, Reason::kEmpty);
      return out;
    }
    for (int64_t side = 0; side < 2; ++side) {
      if (tokens[side] <= config_.max_len) continue;
      leave_out(out, line, side, Reason::kOverlong);
      out.where.tokens = tokens[side];
      return out;
    }
    if (unbalanced(tokens[0], tokens[1], config_.max_ratio)) {
      leave_out(out, line, 0, Reason::kUnbalanced);
      out.where.tokens = tokens[0];
      out.where.other = tokens[1];
    }
    return out;
  }

  Example sample(int64_t line, Random& random) const override {
    auto example = ids(line, &random);
    const auto longest = std::max(std::ssize(example.source), std::ssize(example.target));
    return longest > config_.max_len ? ids(line, nullptr) : example;
  }

  void forget(int64_t begin, int64_t end) override {
    for (auto line = begin; line < end; ++line) {
      pairs_.source[line] = std::string();
      pairs_.target[line] = std::string();
    }
  }

 private:
  Example ids(int64_t line, Random* random) const {
    const auto encoded = [&](const auto& tokenizer, const auto& prefix, const auto& words) {
      return encode_line(*tokenizer, prefixed(prefix, words), random);
    };
    return {.source = encoded(tokenizers_.source, config_.source_prefix, pairs_.source[line]),
            .target = encoded(tokenizers_.target, config_.target_prefix, pairs_.target[line]),
            .index = line};
  }

  void leave_out(LineExample& out, int64_t line, int64_t side, Reason reason) const {
    out.left_out = reason;
    out.where = place(line, side);
  }

  Pairs pairs_;
  text::Tokenizers tokenizers_;
  config::Data config_;
};

class TableEncoder final : public LineEncoder {
 public:
  TableEncoder(Table table, std::shared_ptr<const text::Tokenizer> tokenizer,
               const std::vector<std::string>& labels, const config::Data& config)
      : table_(std::move(table)), tokenizer_(std::move(tokenizer)), config_(config) {
    std::unordered_map<std::string, int64_t> places;
    for (int64_t i = 0; i < std::ssize(labels); ++i) places[labels[i]] = i;
    for (const auto& record : table_.records) {
      const auto found = places.find(record.label);
      if (found == places.end()) {
        throw DataError(fmt::format("{}:{}: unknown label '{}'; the training data has {}",
                                    table_.file_of(record), record.line, record.label,
                                    fmt::join(labels, ", ")));
      }
      labels_.push_back(found->second);
    }
  }

  int64_t lines() const override { return std::ssize(table_.records); }
  int64_t sides() const override { return 1; }

  const std::string& text(int64_t line, int64_t) const override {
    return table_.records[line].text;
  }

  FoundLines::Line place(int64_t line, int64_t) const override {
    const auto& record = table_.records[line];
    return {.file = table_.file_of(record), .number = record.line};
  }

  LineExample encode(int64_t line) const override {
    LineExample out{.example = ids(line, nullptr), .where = place(line, 0)};
    const auto tokens = std::ssize(out.example.source);
    if (empty(text(line, 0)) || tokens == 0) {
      out.left_out = Reason::kEmpty;
    } else if (tokens > config_.max_len) {
      out.left_out = Reason::kOverlong;
      out.where.tokens = tokens;
    }
    return out;
  }

  Example sample(int64_t line, Random& random) const override {
    auto example = ids(line, &random);
    return std::ssize(example.source) > config_.max_len ? ids(line, nullptr) : example;
  }

  void forget(int64_t begin, int64_t end) override {
    for (auto line = begin; line < end; ++line) table_.records[line].text = std::string();
  }

 private:
  bool paired() const { return !config_.second.empty(); }

  bool empty(const std::string& line) const {
    return paired() ? half_blank(line) : heed::text::blank(line);
  }

  Example ids(int64_t line, Random* random) const {
    const auto& words = table_.records[line].text;
    return {.source = paired() ? encode_pair(*tokenizer_, words, random)
                               : encode_line(*tokenizer_, words, random),
            .target = {},
            .label = labels_[line],
            .index = line};
  }

  Table table_;
  std::shared_ptr<const text::Tokenizer> tokenizer_;
  config::Data config_;
  std::vector<int64_t> labels_;  // of each record
};

}  // namespace

bool unbalanced(int64_t source, int64_t target, double max_ratio) {
  const auto [shorter, longer] = std::minmax(source, target);
  return max_ratio > 0.0 && longer >= kRatioFromTokens &&
         static_cast<double>(longer) > max_ratio * static_cast<double>(shorter);
}

std::unique_ptr<LineEncoder> pair_encoder(Pairs pairs, text::Tokenizers tokenizers,
                                          const config::Data& config) {
  return std::make_unique<PairEncoder>(std::move(pairs), std::move(tokenizers), config);
}

std::unique_ptr<LineEncoder> table_encoder(Table table,
                                           std::shared_ptr<const text::Tokenizer> tokenizer,
                                           const std::vector<std::string>& labels,
                                           const config::Data& config) {
  return std::make_unique<TableEncoder>(std::move(table), std::move(tokenizer), labels, config);
}

}  // namespace heed::data
