#include "cli/training_data.h"

#include <utility>

#include <spdlog/fmt/fmt.h>

#include "data/corpus.h"
#include "pipeline/labels.h"

namespace fs = std::filesystem;

namespace heed::cli {
namespace {

using Lines = std::vector<std::string>;

text::Tokenizers make_tokenizers(const config::Tokenizer& config, const data::Pairs& pairs) {
  if (!config.shared) {
    return {.source = text::make_tokenizer(config, pairs.source),
            .target = text::make_tokenizer(config, pairs.target)};
  }
  Lines both = pairs.source;
  both.insert(both.end(), pairs.target.begin(), pairs.target.end());
  const auto shared = text::make_tokenizer(config, both);
  return {.source = shared, .target = shared};
}

text::Tokenizers make_tokenizers(const config::Tokenizer& config, const data::Table& table) {
  Lines texts;
  for (const auto& record : table.records) texts.push_back(record.text);
  return {.source = text::make_tokenizer(config, texts), .target = nullptr};
}

void remark(const std::string& what, int64_t replaced, const data::Corpus& corpus, int64_t max_len,
            Lines& out) {
  if (replaced > 0) {
    out.push_back(fmt::format("{}: {} ill-formed UTF-8 sequences read as U+FFFD", what, replaced));
  }
  for (const auto& report : data::reports(corpus, max_len)) out.push_back(what + ": " + report);
}

void read_pairs(const config::Run& config, const std::optional<fs::path>& run, TrainingData& out) {
  const auto& split = config.data.train;
  const auto pairs = data::read_pairs(split.source, split.target);
  out.tokenizers = run ? text::open_tokenizers(*run / "tokenizer", config.tokenizer)
                       : make_tokenizers(config.tokenizer, pairs);
  auto corpus = data::make_corpus(pairs, out.tokenizers, config.data.max_len);
  remark("train", pairs.replaced, corpus, config.data.max_len, out.remarks);
  out.examples = std::move(corpus.examples);
}

void read_texts(const config::Run& config, const std::optional<fs::path>& run, TrainingData& out) {
  const auto table = data::read_table(config.data.train.file, config.data);
  out.labels = run ? pipeline::load_labels(*run) : data::label_table(table);
  out.tokenizers = run ? text::open_tokenizers(*run / "tokenizer", config.tokenizer)
                       : make_tokenizers(config.tokenizer, table);
  auto corpus = data::make_corpus(table, *out.tokenizers.source, out.labels, config.data.max_len);
  remark("train", table.replaced, corpus, config.data.max_len, out.remarks);
  out.examples = std::move(corpus.examples);
}

}  // namespace

model::Sizes TrainingData::sizes(int64_t max_len) const {
  return {.source_pieces = tokenizers.source->size(),
          .target_pieces = tokenizers.target ? tokenizers.target->size() : 0,
          .classes = std::ssize(labels),
          .max_len = max_len};
}

TrainingData read_training_data(const config::Run& config, const std::optional<fs::path>& run) {
  TrainingData data;
  const bool classify = config.task == "classify";
  if (classify) {
    read_texts(config, run, data);
  } else {
    read_pairs(config, run, data);
  }
  const auto& valid = config.data.valid;
  if (classify ? valid.file.empty() : valid.source.empty()) return data;
  data.valid = read_evaluation_set(config, valid, data.tokenizers, data.labels);
  for (const auto& report : data.valid->left_out) data.remarks.push_back("valid: " + report);
  return data;
}

}  // namespace heed::cli
