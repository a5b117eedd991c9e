#include "inspect/explain_example.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <tuple>
#include <utility>

#include <spdlog/fmt/fmt.h>

#include "config/choice.h"
#include "inspect/explain_numbers.h"
#include "inspect/wrap.h"
#include "nn/attention/scaled_dot_product.h"

namespace heed::inspect {
namespace {

using config::Json;

torch::Tensor matrix(std::initializer_list<std::vector<double>> rows) {
  std::vector<torch::Tensor> out;
  for (const auto& row : rows) out.push_back(torch::tensor(row, torch::kDouble));
  return torch::stack(out);
}

/// The inputs; what follows from them is computed.
WorkedExample river_bank() {
  return {
      .name = "river-bank",
      .tokens = {"river", "bank", "walk", "by"},
      .embeddings = matrix(
          {{0.6, 0.2, 0.7, 0.1}, {0.5, 0.3, 0.6, 0.2}, {0.4, 0.8, 0.1, 0.5}, {0.9, 0.1, 0.2, 0.6}}),
      .w_q = matrix(
          {{0.8, 0.1, 0.2, 0.9}, {0.3, 0.7, 0.4, 0.1}, {0.2, 0.4, 0.9, 0.3}, {0.1, 0.2, 0.3, 0.8}}),
      .w_k = matrix(
          {{0.9, 0.2, 0.1, 0.3}, {0.1, 0.8, 0.3, 0.2}, {0.2, 0.3, 0.8, 0.1}, {0.3, 0.1, 0.2, 0.9}}),
      .w_v = matrix(
          {{0.7, 0.3, 0.1, 0.2}, {0.2, 0.6, 0.4, 0.1}, {0.1, 0.4, 0.7, 0.3}, {0.3, 0.1, 0.2, 0.8}}),
  };
}

void attend(WorkedExample& example) {
  const auto& x = example.embeddings;
  example.dot_products = torch::matmul(x, x.t());
  example.query = torch::matmul(x, example.w_q);
  example.key = torch::matmul(x, example.w_k);
  example.value = torch::matmul(x, example.w_v);
  example.scores = torch::matmul(example.query, example.key.t());

  nn::ScaledDotProductImpl core;
  nn::AttentionParts parts;
  const auto one = [](const torch::Tensor& rows) { return rows.unsqueeze(0).unsqueeze(0); };
  const auto context = core.forward({.query = one(example.query),
                                     .key = one(example.key),
                                     .value = one(example.value),
                                     .parts = &parts});
  example.scaled_scores = parts.scores[0][0];
  example.weights = parts.weights[0][0];
  example.context = context[0][0];
}

/// For each token, the one it gives most weight.
std::vector<std::string> most_attended(const WorkedExample& example) {
  std::vector<std::string> most;
  const auto best = example.weights.argmax(-1);
  for (int64_t i = 0; i < best.size(0); ++i) {
    most.push_back(example.tokens[best[i].item<int64_t>()]);
  }
  return most;
}

std::string sentence_of_most(const WorkedExample& example) {
  const auto most = most_attended(example);
  const auto top = std::get<0>(example.weights.max(-1));
  std::string text;
  for (std::size_t i = 0; i < most.size(); ++i) {
    text += fmt::format("{}'{}' gives most weight to '{}' ({:.4f})", i == 0 ? "" : ", ",
                        example.tokens[i], most[i], top[static_cast<int64_t>(i)].item<double>());
  }
  if (std::ranges::count(most, most.front()) == std::ssize(most)) {
    text += fmt::format(". So '{}' gets most weight, from every word", most.front());
  }
  return text + ".";
}

class Steps {
 public:
  explicit Steps(const WorkedExample& example) : example_(example) {}

  void step(const std::string& title, const std::string& text) {
    out_ += fmt::format("\n{}. {}\n", ++number_, title);
    if (!text.empty()) out_ += wrapped(text, 3);
  }

  /// Rows are the words, and so are the columns of [T, T].
  void numbers(const std::string& name, const torch::Tensor& x, bool by_words = false) {
    out_ += "\n" + number_table({.name = name,
                                 .rows = example_.tokens,
                                 .columns = by_words ? example_.tokens : std::vector<std::string>(),
                                 .values = x});
  }

  void matrix(const std::string& name, const torch::Tensor& x) {
    out_ += "\n" + number_table({.name = name, .values = x});
  }

  void say(const std::string& text) { out_ += "\n" + wrapped(text, 3); }

  std::string text() && { return std::move(out_); }

 private:
  const WorkedExample& example_;
  std::string out_;
  int number_ = 0;
};

}  // namespace

WorkedExample worked_example(const std::string& name) {
  config::check_choice("--example", name, {"river-bank"});
  const torch::NoGradGuard no_grad;
  auto example = river_bank();
  attend(example);
  return example;
}

std::string explained(const WorkedExample& example) {
  const auto depth = example.query.size(1);
  Steps steps(example);
  steps.step(
      "The words as vectors",
      "Each word of \"river bank walk by\" is looked up: a row of numbers, the same wherever "
      "the word stands.");
  steps.numbers("x", example.embeddings);

  steps.step("Static dot products",
             "How alike two vectors are: multiply them number by number and add up.");
  steps.numbers("x xᵀ", example.dot_products, /*by_words=*/true);
  steps.say(
      "These can't tell order: \"river bank\" and \"bank river\" give the same numbers, since the "
      "table is the same on both sides of its diagonal. And nothing in it can be learned. (Nor "
      "does attention itself know places; positions are added to the vectors for that, and this "
      "example leaves them out.)");

  steps.step("Query, key and value",
             "Three learned matrices make three vectors of each word: what it looks for (query), "
             "what it offers to be found by (key), and what it hands over (value).");
  steps.matrix("W_q", example.w_q);
  steps.matrix("W_k", example.w_k);
  steps.matrix("W_v", example.w_v);
  steps.numbers("query = x W_q", example.query);
  steps.numbers("key = x W_k", example.key);
  steps.numbers("value = x W_v", example.value);

  steps.step("Scores",
             "Row: the word that looks; column: the word it looks at; query times key. The two "
             "sides of the diagonal differ now: 'river' may look at 'bank' more than 'bank' at "
             "'river'.");
  steps.numbers("scores = query keyᵀ", example.scores, /*by_words=*/true);

  steps.step("Scaled scores",
             fmt::format("Divided by the square root of the depth of a key, √{} = {:g}. Sums of "
                         "more products are larger, and softmax of large numbers looks at one "
                         "word only and learns no more.",
                         depth, std::sqrt(static_cast<double>(depth))));
  steps.numbers(fmt::format("scaled_scores = scores / √{}", depth), example.scaled_scores,
                /*by_words=*/true);

  steps.step("Softmax",
             "exp of each number over the sum of its row: each row is now shares of 1, the "
             "attention weights.");
  steps.numbers("weights = softmax(scaled_scores)", example.weights, /*by_words=*/true);
  steps.say(sentence_of_most(example));

  steps.step("Context",
             "Each word takes that share of every value and adds them up: its new vector, which "
             "knows of the others.");
  steps.numbers("context = weights value", example.context);
  return fmt::format("{}: self-attention, one head, d_model = d_k = d_v = {}, no bias\n",
                     example.name, depth) +
         std::move(steps).text();
}

Json explained_json(const WorkedExample& example) {
  return {{"example", example.name},
          {"tokens", example.tokens},
          {"embeddings", numbers_json(example.embeddings)},
          {"w_q", numbers_json(example.w_q)},
          {"w_k", numbers_json(example.w_k)},
          {"w_v", numbers_json(example.w_v)},
          {"dot_products", numbers_json(example.dot_products)},
          {"query", numbers_json(example.query)},
          {"key", numbers_json(example.key)},
          {"value", numbers_json(example.value)},
          {"scores", numbers_json(example.scores)},
          {"scaled_scores", numbers_json(example.scaled_scores)},
          {"weights", numbers_json(example.weights)},
          {"context", numbers_json(example.context)},
          {"most_attended", most_attended(example)}};
}

}  // namespace heed::inspect
