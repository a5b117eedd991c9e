#include "data/corpus.h"

#include <utility>

#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>

#include "base/counted.h"
#include "base/error.h"

namespace heed::data {

void check_left(const LeftOuts& left_out, int64_t examples, const std::string& file) {
  if (examples > 0) return;
  throw DataError(fmt::format("{}: none of {} can be used: {}", file,
                              counted(left_out.lines, "line"), fmt::join(reports(left_out), "; ")));
}

Corpus make_corpus(const LineEncoder& encoder, const std::string& file,
                   const config::Data& config) {
  Corpus corpus;
  corpus.lines = encoder.lines();
  corpus.max_len = config.max_len;
  corpus.max_ratio = config.max_ratio;
  for (int64_t i = 0; i < corpus.lines; ++i) {
    auto line = encoder.encode(i);
    if (line.left_out == Reason::kNone) {
      corpus.examples.push_back(std::move(line.example));
    } else {
      corpus.add(line.left_out, line.where);
    }
  }
  check_left(corpus, std::ssize(corpus.examples), file);
  return corpus;
}

Corpus make_corpus(const Pairs& pairs, const text::Tokenizers& tokenizers,
                   const config::Data& config) {
  return make_corpus(*pair_encoder(pairs, tokenizers, config), pairs.source_file, config);
}

Corpus make_corpus(const Table& table, const std::shared_ptr<const text::Tokenizer>& tokenizer,
                   const std::vector<std::string>& labels, const config::Data& config) {
  return make_corpus(*table_encoder(table, tokenizer, labels, config), table.file, config);
}

}  // namespace heed::data
