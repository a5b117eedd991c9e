#pragma once

#include <cstdint>
#include <vector>

namespace heed::eval {

/// Of one class; a quotient without a denominator is 0.
struct ClassScore {
  double precision = 0.0;
  double recall = 0.0;
  double f1 = 0.0;
  int64_t support = 0;  // texts that have this label
};

struct Classification {
  double accuracy = 0.0;  // in [0, 1]
  double macro_f1 = 0.0;  // mean of the classes that occur as label or prediction
  std::vector<ClassScore> per_class;
  std::vector<std::vector<int64_t>> confusion;  // [label][prediction], texts
};

/// labels, predictions: class ids in [0, classes). No text gives zeros. Throws std::logic_error
/// where the lengths differ or an id is no class.
Classification classification_scores(const std::vector<int64_t>& labels,
                                     const std::vector<int64_t>& predictions, int64_t classes);

}  // namespace heed::eval
