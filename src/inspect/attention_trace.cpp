#include "inspect/attention_trace.h"

#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

#include <c10/core/InferenceMode.h>
#include <spdlog/fmt/fmt.h>

#include "base/utf8.h"
#include "decode/rescore.h"
#include "inspect/token_ranges.h"
#include "model/cache_options.h"
#include "pipeline/source_batch.h"
#include "pipeline/source_reader.h"
#include "text/lines.h"

namespace heed::inspect {
namespace {

constexpr double kTolerance = 1e-3;  // between log p of the cached search and of one whole pass

int64_t length(const std::string& text) { return std::ssize(code_points(text)); }

text::Token end_token(const text::Tokenizer& tokenizer, const std::string& text) {
  const auto end = length(text);
  return {.id = text::kEnd, .piece = tokenizer.piece(text::kEnd), .begin = end, .end = end};
}

pipeline::SourceReader source_reader(const pipeline::Run& run) {
  return pipeline::SourceReader(run.tokenizers.source, run.config.data);
}

pipeline::SourceReader target_reader(const pipeline::Run& run) {
  config::Data data;
  data.source_prefix = run.config.data.target_prefix;
  return pipeline::SourceReader(run.tokenizers.target, data);
}

/// A given text with the tokens that the model reads, and EOS.
TracedText read_text(const pipeline::SourceReader& reader, const text::Tokenizer& tokenizer,
                     const std::string& line, const pipeline::EncodedLine& encoded) {
  TracedText read{.text = reader.text(line), .tokens = {}, .truncated = encoded.truncated()};
  if (encoded.ids.empty()) return read;
  read.tokens = reader.tokens(line);
  read.tokens.resize(encoded.ids.size());
  read.tokens.push_back(end_token(tokenizer, read.text));
  return read;
}

TracedText read_source(const pipeline::Run& run, const std::string& line,
                       const pipeline::EncodedLine& encoded) {
  return read_text(source_reader(run), *run.tokenizers.source, line, encoded);
}

pipeline::EncodedLine encode_line(const pipeline::Run& run, const pipeline::SourceReader& reader,
                                  const std::string& line, const pipeline::Origin& origin) {
  const auto rule = pipeline::LengthRule::of(run.config.data, run.config.decode,
                                             /*translate=*/run.classifier == nullptr);
  return pipeline::encode_lines(reader, {line}, rule, origin).at(0);
}

/// Traces source and target in one pass -> log p of the target's tokens. caches: as rescore says.
std::vector<double> trace_pair(const pipeline::Run& run, const pipeline::EncodedLine& source,
                               const std::vector<int64_t>& target, model::Trace& trace,
                               const nn::CacheOptions& caches = {}) {
  const c10::InferenceMode inference;
  auto read = pipeline::source_batch({source}, {0}, run.device);
  read.trace = &trace;
  const auto memory = run.encoder_decoder->encode(read);
  return decode::rescore(*run.encoder_decoder, memory, {target}, text::kBegin, &trace, caches)
      .at(0);
}

void check_scores(const std::vector<double>& found, const std::vector<double>& again) {
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (std::abs(found[i] - again[i]) <= kTolerance) continue;
    throw std::logic_error(fmt::format(
        "token {} scores {} in the cached search, but {} in one pass", i, found[i], again[i]));
  }
}

double normalized(const std::vector<double>& token_scores, double penalty) {
  const double sum = std::accumulate(token_scores.begin(), token_scores.end(), 0.0);
  return sum / std::pow(static_cast<double>(token_scores.size()), penalty);
}

}  // namespace

std::vector<int64_t> TracedText::ids() const {
  std::vector<int64_t> ids;
  for (const auto& token : tokens) ids.push_back(token.id);
  return ids;
}

TracedSentence trace_translation(const pipeline::Run& run, const std::string& line,
                                 const pipeline::Translation& result) {
  TracedSentence sentence{.source = read_source(run, line, result.source)};
  sentence.target.emplace();
  if (result.best.empty()) return sentence;

  const auto& best = result.best.front();
  const auto caches = model::cache_options(run.config.decode);
  const auto scores = trace_pair(run, result.source, best.ids, sentence.trace, caches);
  if (!model::rounds(caches)) check_scores(best.token_scores, scores);
  const auto& tokenizer = *run.tokenizers.target;
  auto text = text::without_controls(tokenizer.decode(best.ids));  // with the prefix of targets
  sentence.target = TracedTarget{
      .text = {.text = text, .tokens = written_tokens(tokenizer, best.ids, text)},
      .score = best.score,
      .token_scores = best.token_scores,
      .at_limit = best.at_limit,
  };
  return sentence;
}

TracedSentence trace_target(const pipeline::Run& run, const std::string& line,
                            const std::string& target, const Origins& origins) {
  const auto source = encode_line(run, source_reader(run), line, origins.source);
  const auto given = encode_line(run, target_reader(run), target, origins.target);
  TracedSentence sentence{.source = read_source(run, line, source)};
  auto& traced = sentence.target.emplace();
  traced.text = read_text(target_reader(run), *run.tokenizers.target, target, given);
  if (source.ids.empty()) return sentence;
  if (given.ids.empty()) traced.text.tokens = {end_token(*run.tokenizers.target, traced.text.text)};

  traced.token_scores = trace_pair(run, source, traced.text.ids(), sentence.trace);
  traced.score = normalized(traced.token_scores, run.config.decode.length_penalty);
  return sentence;
}

TracedSentence trace_label(const pipeline::Run& run, const std::string& line,
                           const pipeline::Origin& origin) {
  const c10::InferenceMode inference;
  const auto source = encode_line(run, source_reader(run), line, origin);
  TracedSentence sentence{.source = read_source(run, line, source)};
  if (source.ids.empty()) return sentence;

  auto read = pipeline::source_batch({source}, {0}, run.device);
  read.trace = &sentence.trace;
  const auto logits = run.classifier->logits(run.classifier->pool(read));
  const auto probabilities = pipeline::label_probabilities(logits);  // [1, classes]
  const auto* row = probabilities.const_data_ptr<float>();
  const pipeline::Labeling labeling{source, {row, row + probabilities.size(1)}};
  for (const auto id : labeling.ranked()) {
    sentence.prediction.push_back({id, run.labels.at(id), labeling.probabilities[id]});
  }
  return sentence;
}

}  // namespace heed::inspect
