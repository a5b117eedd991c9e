#pragma once

#include "inspect/verify_check.h"
#include "inspect/verify_subject.h"

/// Checks of shapes and of the weights that a trace shows.
namespace heed::inspect {

/// Every attention gives what its query's shape is, and the model what its input's is.
Check check_shapes(const Verified& verified);

/// Rows of weights sum to 1, or to 0 where nothing is visible, and no weight leaves [0, 1].
Check check_row_sums(const Verified& verified);

/// What lengths, causality, a pattern or top_k hide has weight 0, told by counting and not by the
/// code under test.
Check check_hidden_weights(const Verified& verified);

}  // namespace heed::inspect
