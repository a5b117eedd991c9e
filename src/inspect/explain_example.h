#pragma once

#include <string>
#include <vector>

#include "base/torch.h"
#include "config/json.h"

namespace heed::inspect {

/// Self-attention of a few words, small enough to follow with pencil and paper. One head, no bias,
/// fp64; T tokens, D = Dk = Dv.
struct WorkedExample {
  std::string name;
  std::vector<std::string> tokens;
  torch::Tensor embeddings;       // [T, D]
  torch::Tensor w_q;              // [D, Dk], x W_q is the query
  torch::Tensor w_k;              // [D, Dk]
  torch::Tensor w_v;              // [D, Dv]
  torch::Tensor dot_products{};   // [T, T], of the embeddings themselves
  torch::Tensor query{};          // [T, Dk]
  torch::Tensor key{};            // [T, Dk]
  torch::Tensor value{};          // [T, Dv]
  torch::Tensor scores{};         // [T, T]
  torch::Tensor scaled_scores{};  // [T, T]
  torch::Tensor weights{};        // [T, T]
  torch::Tensor context{};        // [T, Dv]
};

/// "river bank walk by". Scaled scores, weights and context come from the core that every
/// multi-head attention runs. Throws ConfigError for a name that is none.
WorkedExample worked_example(const std::string& name);

/// The steps in order, each number with its name and shape, within 80 columns.
std::string explained(const WorkedExample& example);

/// {"example", "tokens", "embeddings", "w_q", "w_k", "w_v", "dot_products", "query", "key",
/// "value", "scores", "scaled_scores", "weights", "context", "most_attended": [a token for each
/// token]}
config::Json explained_json(const WorkedExample& example);

}  // namespace heed::inspect
