#include "inspect/score_formula.h"

#include <map>

namespace heed::inspect {

ScoreFormula score_formula(const std::string& type) {
  const ScoreFormula scaled{.text = "score = q · k / √Dk", .dot_product = true, .scaled = true};
  auto top_k = scaled;
  top_k.text += ", of the k best keys";
  static const std::map<std::string, ScoreFormula> kFormulas{
      {"multi_head", scaled},
      {"single_head", scaled},
      {"top_k", top_k},
      {"window", scaled},
      {"longformer", scaled},
      {"bigbird", scaled},
      {"dot", {.text = "score = q · k, not scaled", .dot_product = true}},
      {"general", {.text = "score = q W k / √Dk, W a learned matrix of the head"}},
      {"additive", {.text = "score = v · tanh(W q + U k + b), all learned by the head"}},
      {"linear",
       {.text = "score = log(φ(q) · φ(k)) with φ(x) = elu(x) + 1, so the weights are φ(q) · φ(k) "
                "over the sum of the row",
        .linear = true}},
  };
  const auto found = kFormulas.find(type);
  return found == kFormulas.end() ? ScoreFormula{.text = "score = what " + type + " gives"}
                                  : found->second;
}

ScoreFormula recurrent_formula(const std::string& attention) {
  if (attention == "additive") {
    return {.text =
                "score = v · tanh(q + k), q = W s of the state s and k = U h + b of the memory h"};
  }
  if (attention == "dot") return score_formula("dot");
  return {.text = "score = q · k, q the state and k = W h of the memory h, not scaled",
          .dot_product = true};
}

ScoreFormula pooling_formula() {
  return {.text = "score = q · k, q learned and k = tanh(W h + b) of the features h",
          .dot_product = true};
}

bool is_pattern(const std::string& type) {
  return type == "window" || type == "longformer" || type == "bigbird";
}

}  // namespace heed::inspect
