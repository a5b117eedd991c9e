#pragma once

#include <string>

namespace heed::inspect {

/// How a variant scores a key, as far as a person or a check needs to know.
struct ScoreFormula {
  std::string text;          // "score = q · k / √Dk"
  bool dot_product = false;  // the score is q · k, times a constant
  bool scaled = false;       // that constant is 1 / sqrt(Dk)
  bool linear = false;       // no softmax of products: nothing that could saturate
};

/// Of model.attention.type `type`; of one that is not known here, what holds for all.
ScoreFormula score_formula(const std::string& type);

/// Of a recurrent decoder, whose query and key are as projected; model.rnn.attention.
ScoreFormula recurrent_formula(const std::string& attention);

/// Of the pooling of a recurrent classifier, whose query is learned.
ScoreFormula pooling_formula();

/// Whether the type says by places which keys are met; the cross attention beside it is multi_head.
bool is_pattern(const std::string& type);

}  // namespace heed::inspect
