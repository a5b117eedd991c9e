#include "data/corpus.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>

#include "base/error.h"
#include "text/lines.h"

namespace heed::data {
namespace {

void leave_out(LeftOut& left_out, LeftOut::Line line) {
  ++left_out.count;
  if (left_out.first.size() < kLinesNamed) left_out.first.push_back(std::move(line));
}

std::string named_lines(const LeftOut& left_out) {
  std::vector<std::string> names;
  for (const auto& line : left_out.first) {
    names.push_back(line.tokens > 0
                        ? fmt::format("{}:{} with {} tokens", line.file, line.number, line.tokens)
                        : fmt::format("{}:{}", line.file, line.number));
  }
  const bool more = left_out.count > std::ssize(names);
  return fmt::format("{}{}", fmt::join(names, ", "), more ? ", ..." : "");
}

void check_left(const Corpus& corpus, const std::string& file, int64_t max_len) {
  if (!corpus.examples.empty()) return;
  throw DataError(fmt::format("{}: none of {} lines can be used: {}", file, corpus.lines,
                              fmt::join(reports(corpus, max_len), "; ")));
}

/// Which of the two texts is the first without a token; null: none is.
const std::string* empty_side(const Pairs& pairs, std::size_t i, const Example& example) {
  if (text::blank(pairs.source[i]) || example.source.empty()) return &pairs.source_file;
  if (text::blank(pairs.target[i]) || example.target.empty()) return &pairs.target_file;
  return nullptr;
}

int64_t label_id(const Table& table, const Record& record, const std::vector<std::string>& labels) {
  const auto found = std::ranges::find(labels, record.label);
  if (found != labels.end()) return found - labels.begin();
  throw DataError(fmt::format("{}:{}: unknown label '{}'; the training data has {}", table.file,
                              record.line, record.label, fmt::join(labels, ", ")));
}

}  // namespace

Corpus make_corpus(const Pairs& pairs, const text::Tokenizers& tokenizers, int64_t max_len) {
  Corpus corpus{.examples = {}, .lines = std::ssize(pairs.source)};
  for (std::size_t i = 0; i < pairs.source.size(); ++i) {
    Example example{.source = tokenizers.source->encode(pairs.source[i]),
                    .target = tokenizers.target->encode(pairs.target[i]),
                    .index = static_cast<int64_t>(i)};
    const auto line = example.index + 1;
    const auto source = std::ssize(example.source);
    const auto target = std::ssize(example.target);
    if (const auto* file = empty_side(pairs, i, example)) {
      leave_out(corpus.empty, {*file, line, 0});
    } else if (source > max_len) {
      leave_out(corpus.overlong, {pairs.source_file, line, source});
    } else if (target > max_len) {
      leave_out(corpus.overlong, {pairs.target_file, line, target});
    } else {
      corpus.examples.push_back(std::move(example));
    }
  }
  check_left(corpus, pairs.source_file, max_len);
  return corpus;
}

Corpus make_corpus(const Table& table, const text::Tokenizer& tokenizer,
                   const std::vector<std::string>& labels, int64_t max_len) {
  Corpus corpus{.examples = {}, .lines = std::ssize(table.records)};
  for (std::size_t i = 0; i < table.records.size(); ++i) {
    const auto& record = table.records[i];
    Example example{.source = tokenizer.encode(record.text),
                    .target = {},
                    .label = label_id(table, record, labels),
                    .index = static_cast<int64_t>(i)};
    const auto tokens = std::ssize(example.source);
    if (text::blank(record.text) || tokens == 0) {
      leave_out(corpus.empty, {table.file, record.line, 0});
    } else if (tokens > max_len) {
      leave_out(corpus.overlong, {table.file, record.line, tokens});
    } else {
      corpus.examples.push_back(std::move(example));
    }
  }
  check_left(corpus, table.file, max_len);
  return corpus;
}

std::vector<std::string> reports(const Corpus& corpus, int64_t max_len) {
  std::vector<std::string> lines;
  if (corpus.empty.count > 0) {
    lines.push_back(fmt::format("{} left out, nothing to read: {}", corpus.empty.count,
                                named_lines(corpus.empty)));
  }
  if (corpus.overlong.count > 0) {
    lines.push_back(fmt::format("{} left out, over data.max_len, which is {}: {}",
                                corpus.overlong.count, max_len, named_lines(corpus.overlong)));
  }
  return lines;
}

}  // namespace heed::data
