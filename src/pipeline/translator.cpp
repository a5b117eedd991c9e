#include "pipeline/translator.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include <c10/core/InferenceMode.h>

#include "decode/beam.h"
#include "decode/model_scorer.h"
#include "decode/score.h"
#include "model/cache_options.h"
#include "pipeline/source_batch.h"
#include "pipeline/workers.h"
#include "text/lines.h"

namespace heed::pipeline {
namespace {

decode::SearchOptions search_options(const config::Decode& options) {
  return {
      .beam_size = options.beam_size,
      .n_best = options.n_best,
      .length_penalty = options.length_penalty,
      .begin = text::kBegin,
      .end = text::kEnd,
      .never = {text::kPad, text::kUnknown, text::kBegin},
  };
}

/// The text without the prefix that every target of the training had.
std::string without_prefix(std::string text, const std::string& prefix) {
  if (prefix.empty() || !text.starts_with(prefix)) return text;
  text.erase(0, prefix.size());
  return text.starts_with(' ') ? text.substr(1) : text;
}

Translation::Candidate readable(decode::Hypothesis&& found, const text::Tokenizer& tokenizer,
                                const std::string& prefix) {
  auto text = text::without_controls(tokenizer.decode(found.ids));  // one line, whatever the pieces
  text = without_prefix(std::move(text), prefix);
  return {
      .text = std::move(text),
      .ids = std::move(found.ids),
      .token_scores = std::move(found.token_scores),
      .score = found.score,
      .at_limit = found.at_limit,
  };
}

/// Answer i of a line read in parts is answer i of each of them, one after the other.
Translation::Candidate joined_candidate(std::span<const Translation> parts, std::size_t i,
                                        double length_penalty) {
  Translation::Candidate all;
  double sum = 0.0;
  for (const auto& part : parts) {
    const auto& one = part.best[i];
    if (!all.text.empty() && !one.text.empty()) all.text += ' ';
    all.text += one.text;
    all.ids.insert(all.ids.end(), one.ids.begin(), one.ids.end());
    all.token_scores.insert(all.token_scores.end(), one.token_scores.begin(),
                            one.token_scores.end());
    all.at_limit = all.at_limit || one.at_limit;
  }
  for (const double score : all.token_scores) sum += score;
  all.score = decode::normalized(sum, std::ssize(all.ids), length_penalty);
  return all;
}

Translation joined(std::span<const Translation> parts, double length_penalty) {
  Translation all;
  all.source.parts = std::ssize(parts);
  std::size_t answers = parts.front().best.size();
  for (const auto& part : parts) {
    append_part(part.source, all.source);
    answers = std::min(answers, part.best.size());
  }
  for (std::size_t i = 0; i < answers; ++i) {
    all.best.push_back(joined_candidate(parts, i, length_penalty));
  }
  return all;
}

}  // namespace

Translator::Translator(Parts parts, const config::Decode& options, int64_t workers)
    : parts_(std::move(parts)),
      reader_(parts_.tokenizers.source, parts_.data),
      options_(options),
      workers_(workers > 0 ? workers : default_workers(parts_.device.is_cpu())) {
  options_.check("decode");
}

Translator::Translator(const Run& run, const config::Decode& options, int64_t workers,
                       Progress done)
    : Translator({.model = run.encoder_decoder,
                  .tokenizers = run.tokenizers,
                  .device = run.device,
                  .data = run.config.data,
                  .done = std::move(done)},
                 options, workers) {
  model::check_caches(run.config.model, options);
}

std::vector<Translation> Translator::translate(const std::vector<std::string>& lines,
                                               const Origin& origin) const {
  const auto rule = LengthRule::of(parts_.data, options_, /*translate=*/true);
  if (rule.overlong != "split") return translate_each(lines, rule, origin);

  const auto parts = parts_of(reader_, lines, rule);
  auto found = translate_each(parts.texts, rule, origin);
  std::vector<Translation> out;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::span of_line(found.begin() + static_cast<std::ptrdiff_t>(parts.first[i]),
                            found.begin() + static_cast<std::ptrdiff_t>(parts.first[i + 1]));
    out.push_back(of_line.size() == 1 ? std::move(of_line.front())
                                      : joined(of_line, options_.length_penalty));
  }
  return out;
}

std::vector<Translation> Translator::translate_each(const std::vector<std::string>& lines,
                                                    const LengthRule& rule,
                                                    const Origin& origin) const {
  const auto encoded = encode_lines(reader_, lines, rule, origin);
  std::vector<int64_t> lengths;
  for (const auto& line : encoded) lengths.push_back(std::ssize(line.ids));

  std::vector<Translation> out(lines.size());
  const auto batches = batches_by_length(lengths, options_.batch_size, workers_);
  run_works(std::ssize(batches), workers_,
            [&](int64_t i) { translate_batch(encoded, batches[i], out); });
  for (std::size_t i = 0; i < lines.size(); ++i) out[i].source = encoded[i];
  return out;
}

void Translator::translate_batch(const std::vector<EncodedLine>& lines,
                                 const std::vector<int64_t>& places,
                                 std::vector<Translation>& out) const {
  const c10::InferenceMode inference;
  std::vector<int64_t> limits;
  for (const auto place : places) limits.push_back(limit(lines[place]));

  const auto memory = parts_.model->encode(source_batch(lines, places, parts_.device));
  decode::ModelScorer scorer(*parts_.model, memory, *std::ranges::max_element(limits),
                             model::cache_options(options_));
  auto found = decode::beam_search(scorer, limits, search_options(options_));
  for (std::size_t i = 0; i < places.size(); ++i) {
    for (auto& hypothesis : found[i]) {
      out[places[i]].best.push_back(
          readable(std::move(hypothesis), *parts_.tokenizers.target, parts_.data.target_prefix));
    }
  }
  if (parts_.done) parts_.done(std::ssize(places));
}

/// A model has positions for max_len tokens and EOS.
int64_t Translator::limit(const EncodedLine& line) const {
  const auto wanted = options_.max_len > 0 ? options_.max_len : 2 * std::ssize(line.ids) + 20;
  return std::min(wanted, parts_.data.max_len + 1);
}

}  // namespace heed::pipeline
