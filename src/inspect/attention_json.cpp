#include "inspect/attention_json.h"

#include <cmath>
#include <iterator>
#include <utility>

#include <spdlog/fmt/fmt.h>

#include "config/fields.h"
#include "inspect/token_ranges.h"

namespace heed::inspect {
namespace {

using config::Json;

std::string dump(const Json& json) {
  return json.dump(-1, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace);
}

Json finite(double number) { return std::isfinite(number) ? Json(number) : Json(); }

Json finite(const std::vector<double>& numbers) {
  auto json = Json::array();
  for (const auto number : numbers) json.push_back(finite(number));
  return json;
}

Json text_json(const TracedText& side) {
  Json json{{"text", side.text},        {"tokens", Json::array()},  {"ids", side.ids()},
            {"special", Json::array()}, {"offsets", Json::array()}, {"truncated", side.truncated}};
  for (const auto& token : side.tokens) {
    json["tokens"].push_back(token.piece);
    json["special"].push_back(special(token.id));
    json["offsets"].push_back(Json::array({token.begin, token.end}));
  }
  return json;
}

/// 0 for the tokens of the first of two texts and the </s> behind it, 1 for the rest.
Json segments_json(const TracedText& source) {
  auto json = Json::array();
  int segment = 0;
  for (const auto& token : source.tokens) {
    json.push_back(segment);
    if (token.id == text::kEnd) segment = 1;
  }
  return json;
}

/// What the decoder reads: begin, then the tokens without the last.
Json target_json(const TracedTarget& target, const text::Tokenizer& tokenizer) {
  auto json = text_json(target.text);
  json["input_tokens"] = Json::array();
  json["input_ids"] = Json::array();
  const auto& tokens = target.text.tokens;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    json["input_tokens"].push_back(i == 0 ? tokenizer.piece(text::kBegin) : tokens[i - 1].piece);
    json["input_ids"].push_back(i == 0 ? text::kBegin : tokens[i - 1].id);
  }
  json["score"] = tokens.empty() ? Json() : finite(target.score);
  json["token_scores"] = finite(target.token_scores);
  json["at_limit"] = target.at_limit;
  return json;
}

Json prediction_json(const std::vector<TracedLabel>& ranked) {
  if (ranked.empty()) return {};
  Json json{
      {"label", ranked.front().label}, {"labels", Json::array()}, {"probabilities", Json::array()}};
  for (const auto& entry : ranked) {
    json["labels"].push_back(entry.label);
    json["probabilities"].push_back(finite(entry.probability));
  }
  return json;
}

void append_number(float number, std::string& out) {
  if (!std::isfinite(number)) {
    out += "null";
  } else {
    fmt::format_to(std::back_inserter(out), "{:.7g}", number);
  }
}

/// weights [Tq, Tk], on the CPU -> [[..], ..]
std::string rows(const torch::Tensor& weights) {
  std::string out = "[";
  const auto at = weights.accessor<float, 2>();
  for (int64_t q = 0; q < at.size(0); ++q) {
    out += q == 0 ? "[" : ", [";
    for (int64_t k = 0; k < at.size(1); ++k) {
      if (k > 0) out += ", ";
      append_number(at[q][k], out);
    }
    out += "]";
  }
  return out + "]";
}

std::string head_of_document(const pipeline::Run& run) {
  const auto& model = run.config.model;
  const bool translates = run.config.task == "translate";
  const Json json{{"format", "heed.attention/1"},
                  {"task", run.config.task},
                  {"run", run.dir.string()},
                  {"checkpoint", run.checkpoint.filename().string()},
                  {"model",
                   {{"type", model.type},
                    {"enc_layers", model.enc_layers},
                    {"dec_layers", translates ? model.dec_layers : 0},
                    {"heads", model.attention_heads()}}}};
  auto text = dump(json);
  text.pop_back();  // the brace that finish() writes
  return text + ", \"sentences\": [";
}

}  // namespace

AttentionJson::AttentionJson(Sink sink, const pipeline::Run& run)
    : sink_(std::move(sink)),
      head_(head_of_document(run)),
      pairs_(!run.config.data.second.empty()),
      target_pieces_(run.tokenizers.target ? *run.tokenizers.target : *run.tokenizers.source) {}

void AttentionJson::add(const TracedSentence& sentence) {
  sink_(head_.empty() ? ",\n" : std::exchange(head_, {}) + "\n");
  auto of_source = text_json(sentence.source);
  if (pairs_) of_source["segments"] = segments_json(sentence.source);
  sink_("{\"source\": " + dump(of_source));
  const auto of_target = sentence.target ? target_json(*sentence.target, target_pieces_) : Json();
  sink_(", \"target\": " + dump(of_target));
  sink_(", \"prediction\": " + dump(prediction_json(sentence.prediction)));
  sink_(", \"attention\": [");
  write_attention(sentence.trace);
  sink_("]}");
}

void AttentionJson::write_attention(const model::Trace& trace) {
  bool first = true;
  for (const auto& layer : trace.layers) {
    const auto weights = layer.parts.weights.squeeze(0).to(torch::kFloat).cpu();  // [H, Tq, Tk]
    for (int64_t head = 0; head < weights.size(0); ++head) {
      sink_(fmt::format("{}{{\"kind\": {}, \"layer\": {}, \"head\": {}, \"weights\": {}}}",
                        std::exchange(first, false) ? "\n" : ",\n", dump(layer.kind), layer.layer,
                        head, rows(weights[head])));
    }
  }
}

void AttentionJson::finish() { sink_(std::exchange(head_, {}) + "\n]}\n"); }

}  // namespace heed::inspect
