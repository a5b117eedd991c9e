#include "cli/training_data.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <spdlog/fmt/fmt.h>

#include "base/files.h"
#include "base/log.h"
#include "base/torch.h"
#include "cli/ill_formed.h"
#include "data/line_encoder.h"
#include "data/text_pair.h"
#include "pipeline/global_tokens.h"
#include "pipeline/labels.h"

namespace fs = std::filesystem;

namespace heed::cli {
namespace {

using Lines = std::vector<std::string>;

/// Lines with a prefix while it lives; a copy is saved where there is none.
class Prefixed {
 public:
  Prefixed(const std::string& prefix, const Lines& lines) : lines_(&lines) {
    if (prefix.empty()) return;
    for (const auto& line : lines) own_.push_back(data::prefixed(prefix, line));
    lines_ = &own_;
  }
  Prefixed(const Prefixed&) = delete;
  Prefixed& operator=(const Prefixed&) = delete;

  const Lines& lines() const { return *lines_; }

 private:
  Lines own_;
  const Lines* lines_;
};

/// Both sides in one list while it lives, without a copy of the text.
class Joined {
 public:
  Joined(Lines& first, Lines& second) : first_(first), second_(second), size_(first.size()) {
    first_.reserve(first_.size() + second_.size());
    std::ranges::move(second_, std::back_inserter(first_));
  }
  ~Joined() {
    std::move(first_.begin() + static_cast<std::ptrdiff_t>(size_), first_.end(), second_.begin());
    first_.resize(size_);
  }
  Joined(const Joined&) = delete;
  Joined& operator=(const Joined&) = delete;

 private:
  Lines& first_;
  Lines& second_;
  std::size_t size_;
};

std::shared_ptr<const text::Tokenizer> make_one(const config::Tokenizer& config, const Lines& lines,
                                                Lines& remarks) {
  text::TrainingReport report;
  auto tokenizer = text::make_tokenizer(config, lines, &report);
  for (const auto& remark : text::remarks(report)) remarks.push_back("tokenizer: " + remark);
  if (config.vocab_file.empty()) return tokenizer;
  if (auto remark = ill_formed_vocabulary(config.vocab_file); !remark.empty()) {
    remarks.push_back("tokenizer: " + remark);
  }
  return tokenizer;
}

/// Of the bytes of a split's files, in their order; a pipe, which can't be read again, counts by
/// its name.
std::string files_fingerprint(const config::Split& split) {
  std::string all;
  for (const auto* names : {&split.source, &split.target, &split.file}) {
    for (const auto& file : *names) {
      all += fs::is_regular_file(file) ? checksum_of_file(file) : file;
    }
  }
  return checksum(all);
}

void remark_replaced(const std::string& split, int64_t replaced, Lines& remarks) {
  if (replaced > 0) remarks.push_back(ill_formed_text(split, replaced));
}

/// Takes the examples of `encoder` to train on.
void start_corpus(std::unique_ptr<data::LineEncoder> encoder, const std::string& file,
                  const config::Run& config, bool whole, TrainingData& out) {
  out.train = std::make_unique<data::GrowingCorpus>(
      std::move(encoder), config.data,
      data::GrowingCorpus::Options{.file = file,
                                   .threads = torch::get_num_threads(),
                                   .sampling = config.tokenizer.sampling > 0.0,
                                   .seed = config.seed});
  if (whole || out.train->complete()) {
    for (const auto& report : data::reports(out.train->left_out())) {
      out.remarks.push_back("train: " + report);
    }
    return;
  }
  out.train->when_complete([](const data::LeftOuts& left_out) {
    for (const auto& report : data::reports(left_out)) log::info("skipped  train: " + report);
  });
}

void read_pairs(const config::Run& config, const std::optional<fs::path>& run, TrainingData& out) {
  const auto& split = config.data.train;
  auto pairs = data::read_pairs(split.source, split.target);
  remark_replaced("train", pairs.replaced, out.remarks);
  out.tokenizers = run ? text::open_tokenizers(*run / "tokenizer", config.tokenizer)
                       : make_tokenizers(config, pairs, out.remarks);
  start_corpus(data::pair_encoder(std::move(pairs), out.tokenizers, config.data), split.source[0],
               config, run.has_value(), out);
}

/// Columns that are swapped show in their labels.
void check_labels(const Lines& labels, std::ptrdiff_t records, const std::string& file,
                  Lines& remarks) {
  if (labels.size() == 1) {
    throw DataError(
        fmt::format("{}: all {} records have the label '{}'; a classifier needs two, "
                    "see data.columns, data.label and data.text",
                    file, records, labels[0]));
  }
  if (2 * std::ssize(labels) < records || records < 20) return;
  remarks.push_back(
      fmt::format("train: {} labels for {} records, as if text and label were "
                  "swapped; see data.columns",
                  labels.size(), records));
}

void read_texts(const config::Run& config, const std::optional<fs::path>& run, TrainingData& out) {
  const auto& files = config.data.train.file;
  auto table = data::read_table(files, config.data);
  remark_replaced("train", table.replaced, out.remarks);
  out.labels = run ? pipeline::load_labels(*run) : data::label_table(table);
  out.tokenizers = run ? text::open_tokenizers(*run / "tokenizer", config.tokenizer)
                       : make_tokenizers(config, table, out.remarks);
  check_labels(out.labels, std::ssize(table.records), files[0], out.remarks);
  start_corpus(
      data::table_encoder(std::move(table), out.tokenizers.source, out.labels, config.data),
      files[0], config, run.has_value(), out);
}

}  // namespace

text::Tokenizers make_tokenizers(const config::Run& config, data::Pairs& pairs, Lines& remarks) {
  const auto& data = config.data;
  if (!config.tokenizer.shared) {
    const Prefixed source(data.source_prefix, pairs.source);
    const Prefixed target(data.target_prefix, pairs.target);
    return {.source = make_one(config.tokenizer, source.lines(), remarks),
            .target = make_one(config.tokenizer, target.lines(), remarks)};
  }
  std::shared_ptr<const text::Tokenizer> shared;
  if (data.source_prefix.empty() && data.target_prefix.empty()) {
    const Joined joined(pairs.source, pairs.target);
    shared = make_one(config.tokenizer, pairs.source, remarks);
  } else {
    auto lines = Prefixed(data.source_prefix, pairs.source).lines();
    const Prefixed target(data.target_prefix, pairs.target);
    lines.insert(lines.end(), target.lines().begin(), target.lines().end());
    shared = make_one(config.tokenizer, lines, remarks);
  }
  return {.source = shared, .target = shared};
}

text::Tokenizers make_tokenizers(const config::Run& config, const data::Table& table,
                                 Lines& remarks) {
  Lines texts;
  for (const auto& record : table.records) texts.push_back(record.text);
  return {.source = make_one(config.tokenizer, texts, remarks), .target = nullptr};
}

model::Sizes TrainingData::sizes(const config::Run& config) const {
  return {.source_pieces = tokenizers.source->size(),
          .target_pieces = tokenizers.target ? tokenizers.target->size() : 0,
          .classes = std::ssize(labels),
          .max_len = config.data.max_len,
          .global_ids = pipeline::global_ids(config.model.attention, *tokenizers.source)};
}

int64_t TrainingData::train_size() const {
  return train->complete() ? train->size() : train->lines();
}

TrainingData read_training_data(const config::Run& config, const std::optional<fs::path>& run) {
  TrainingData data;
  const bool classify = config.task == "classify";
  if (classify) {
    read_texts(config, run, data);
  } else {
    read_pairs(config, run, data);
  }
  data.fingerprint = files_fingerprint(config.data.train);
  const auto& valid = config.data.valid;
  if (classify ? valid.file.empty() : valid.source.empty()) return data;
  data.valid = read_evaluation_set(config, valid, data.tokenizers, data.labels);
  remark_replaced("valid", data.valid->replaced(), data.remarks);
  for (const auto& report : data.valid->left_out) data.remarks.push_back("valid: " + report);
  return data;
}

}  // namespace heed::cli
