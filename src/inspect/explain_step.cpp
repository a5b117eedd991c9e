#include "inspect/explain_step.h"

#include <algorithm>
#include <utility>

#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>

#include "base/counted.h"
#include "base/error.h"
#include "inspect/explain_numbers.h"
#include "inspect/score_formula.h"
#include "inspect/why_hidden.h"
#include "inspect/wrap.h"

namespace heed::inspect {
namespace {

using config::Json;

constexpr int64_t kMostKeys = 24;  // rows of the table of keys
constexpr int64_t kMostNamed = 3;  // contributions that are named
constexpr std::size_t kTokenWidth = 16;

std::vector<std::string> pieces(const std::vector<text::Token>& tokens) {
  std::vector<std::string> out;
  for (const auto& token : tokens) out.push_back(token.piece);
  return out;
}

/// What the decoder reads: begin, then the tokens without the last.
std::vector<std::string> shifted(std::vector<std::string> tokens, const text::Tokenizer& pieces) {
  if (tokens.empty()) return tokens;
  tokens.pop_back();
  tokens.insert(tokens.begin(), pieces.piece(text::kBegin));
  return tokens;
}

std::string kinds_of(const model::Trace& trace) {
  std::vector<std::string> kinds;
  for (const auto& layer : trace.layers) {
    if (std::ranges::find(kinds, layer.kind) == kinds.end()) kinds.push_back(layer.kind);
  }
  return fmt::format("{}", fmt::join(kinds, ", "));
}

/// "--layer: 7, but this kind has 3 layers, 0 to 2"
void require(int64_t value, int64_t count, const std::string& option, const std::string& owner,
             const std::string& what) {
  if (value >= 0 && value < count) return;
  const auto last = count > 1 ? fmt::format("0 to {}", count - 1) : "number 0";
  throw ConfigError(
      fmt::format("{}: {}, but {} has {}, {}", option, value, owner, counted(count, what), last));
}

const nn::AttentionParts& parts_at(const model::Trace& trace, const StepPlace& place) {
  if (trace.layers.empty()) throw ConfigError("--source: holds no token to explain");
  int64_t layers = 0;
  const nn::AttentionParts* found = nullptr;
  for (const auto& layer : trace.layers) {
    if (layer.kind != place.kind) continue;
    if (layer.layer == place.layer) found = &layer.parts;
    ++layers;
  }
  if (layers == 0) {
    throw ConfigError(fmt::format("--kind: this model has no '{}' attention; it has {}", place.kind,
                                  kinds_of(trace)));
  }
  require(place.layer, layers, "--layer", "this kind", "layer");
  return *found;
}

/// The variant at work in this kind of attention, by name, and its formula.
std::pair<std::string, ScoreFormula> scored_by(const config::Model& model, const std::string& kind,
                                               bool pooled) {
  if (pooled) return {"pooling", pooling_formula()};
  if (model.recurrent()) return {model.rnn.attention, recurrent_formula(model.rnn.attention)};
  const auto& type = model.attention.type;
  if (kind == "cross" && is_pattern(type)) return {"multi_head", score_formula("multi_head")};
  return {type, score_formula(type)};
}

std::string formula_text(const ScoreFormula& formula, const config::Model& model,
                         const std::string& kind) {
  auto text = formula.text;
  if (kind == "cross" || model.recurrent()) return text;
  if (model.positions == "alibi" || model.positions == "relative")
    text += " + bias of the distance";
  if (model.positions == "rotary") text += ", q and k turned by their positions";
  return text;
}

/// Places of the largest values first.
std::vector<int64_t> ranked(const torch::Tensor& values) {
  const auto order = values.to(torch::kDouble).cpu().argsort(/*stable=*/true, 0, true);
  const auto* first = order.const_data_ptr<int64_t>();
  return {first, first + order.numel()};
}

std::string score_text(double score, const std::string& why_hidden) {
  return why_hidden.empty() ? fmt::format("{:>10.4f}", score) : fmt::format("{:>10}", why_hidden);
}

std::string key_rows(const ExplainedStep& step) {
  const bool products = step.products.defined();
  auto out = fmt::format("   {:>3}  {:<{}}", "", "token", kTokenWidth);
  if (products) out += fmt::format("{:>10}", "q · k");
  out += fmt::format("{:>10}{:>9}{:>10}{:>13}\n", "score", "weight", "|value|", "contribution");

  auto shown = ranked(step.weights);
  const auto count = std::ssize(shown);
  if (count > kMostKeys) shown.resize(kMostKeys);
  std::ranges::sort(shown);
  double rest = 1.0;
  const auto norms = step.value.norm(2, -1);
  const auto at = [](const torch::Tensor& x, int64_t i) { return x[i].item<double>(); };
  for (const auto i : shown) {
    out += fmt::format("   {:>3}  {}", i, fitted(step.keys[i], kTokenWidth));
    if (products) out += fmt::format("{:>10.4f}", at(step.products, i));
    out +=
        fmt::format("{}{:>9.4f}{:>10.4f}{:>13.4f}\n", score_text(at(step.scores, i), step.why[i]),
                    at(step.weights, i), at(norms, i), at(step.contributions, i));
    rest -= at(step.weights, i);
  }
  if (count > kMostKeys) {
    out += fmt::format("   … and {} more, with {:.4f} of the weight\n", count - kMostKeys,
                       std::max(rest, 0.0));
  }
  return out;
}

/// What the context is made of, the largest first.
std::string named_contributions(const ExplainedStep& step) {
  std::vector<std::string> named;
  for (const auto i : ranked(step.contributions)) {
    if (std::ssize(named) == kMostNamed) break;
    const auto norm = step.contributions[i].item<double>();
    if (norm > 0.0) named.push_back(fmt::format("'{}' (key {}, {:.4f})", step.keys[i], i, norm));
  }
  if (named.empty()) return "Nothing was visible, so the context is 0.";
  return fmt::format("Most comes from {}; the context itself has length {:.4f}.",
                     fmt::join(named, ", then "), step.context.norm().item<double>());
}

std::string title(const ExplainedStep& step) {
  const auto& place = step.place;
  const auto who = step.reads.empty()
                       ? fmt::format("'{}' (token {})", step.token, place.token)
                       : fmt::format("'{}' (token {} of the target, written on reading '{}')",
                                     step.token, place.token, step.reads);
  return wrapped(fmt::format("{} attention ({}), layer {}, head {}: {}", place.kind, step.type,
                             place.layer, place.head, who));
}

}  // namespace

ExplainedStep explain_step(const TracedSentence& sentence, const config::Model& model,
                           const text::Tokenizer& target_pieces, const StepPlace& place) {
  const torch::NoGradGuard no_grad;
  const auto& parts = parts_at(sentence.trace, place);
  require(place.head, parts.weights.size(1), "--head", "this layer", "head");
  const auto source = pieces(sentence.source.tokens);
  const auto target = sentence.target ? pieces(sentence.target->text.tokens) : source;
  const auto input = sentence.target ? shifted(target, target_pieces) : source;
  const bool cross = place.kind == "cross";
  const bool pooled = cross && !sentence.target;  // one row, whose query no token has
  auto rows = place.kind == "encoder" ? source : target;
  if (pooled) rows = {"the whole text"};
  require(place.token, std::ssize(rows), "--token", "this text", "token");

  const auto of_head = [&](const torch::Tensor& x) {
    return x[0][place.head].to(torch::kDouble).cpu();
  };
  const auto [type, formula] = scored_by(model, place.kind, pooled);
  ExplainedStep step{
      .place = place,
      .type = type,
      .formula = formula_text(formula, model, place.kind),
      .token = rows[place.token],
      .reads = place.kind == "encoder" || pooled ? "" : input[place.token],
      .keys = place.kind == "decoder" ? input : source,
      .why = {},
      .hidden = {},
      .query = of_head(parts.query)[place.token],
      .key = of_head(parts.key),
      .value = of_head(parts.value),
      .products = {},
      .scores = of_head(parts.scores)[place.token],
      .weights = of_head(parts.weights)[place.token],
      .context = {},
      .contributions = {},
  };
  auto why = why_hidden(model, type, place.kind, place.token, step.scores);
  step.why = std::move(why.words);
  step.hidden = std::move(why.meaning);
  if (formula.dot_product) step.products = step.key.mv(step.query);
  step.context = step.weights.unsqueeze(0).mm(step.value).squeeze(0);
  step.contributions = step.weights * step.value.norm(2, -1);
  return step;
}

std::string explained(const ExplainedStep& step) {
  auto out = title(step);
  out += "\n1. Its query: what it looks for\n" + number_list("query", step.query);
  const auto count = std::ssize(step.keys);
  out += fmt::format("\n2. Keys {}, values {}: what {} {} and {} over\n", shape_of(step.key),
                     shape_of(step.value), counted(count, "token"), count == 1 ? "offers" : "offer",
                     count == 1 ? "hands" : "hand");
  out += "\n3. Scores, weights, contributions\n";
  out += wrapped(step.formula, 3);
  out += wrapped("weight = softmax of the scores; contribution = |weight · value|", 3);
  out += wrapped(step.hidden, 3);
  out += key_rows(step);
  out += "\n4. Context: weight times value, added up\n" + number_list("context", step.context);
  return out + wrapped(named_contributions(step), 3) + "\n" +
         wrapped("A weight says where the model looked, not why it answered as it did.");
}

Json explained_json(const ExplainedStep& step) {
  auto contributions = Json::array();
  for (const auto i : ranked(step.contributions)) {
    contributions.push_back({{"index", i},
                             {"token", step.keys[i]},
                             {"weight", step.weights[i].item<double>()},
                             {"norm", step.contributions[i].item<double>()},
                             {"vector", numbers_json(step.value[i] * step.weights[i])}});
  }
  auto hidden = Json::array();
  for (const auto& word : step.why) hidden.push_back(word.empty() ? Json() : Json(word));
  return {{"kind", step.place.kind},
          {"layer", step.place.layer},
          {"head", step.place.head},
          {"token", step.place.token},
          {"text", step.token},
          {"input", step.reads.empty() ? Json() : Json(step.reads)},
          {"type", step.type},
          {"formula", step.formula},
          {"keys", step.keys},
          {"query", numbers_json(step.query)},
          {"key", numbers_json(step.key)},
          {"value", numbers_json(step.value)},
          {"hidden", hidden},
          {"scores", step.products.defined() ? numbers_json(step.products) : Json()},
          {"scaled_scores", numbers_json(step.scores)},
          {"weights", numbers_json(step.weights)},
          {"context", numbers_json(step.context)},
          {"contributions", contributions}};
}

}  // namespace heed::inspect
