#pragma once

#include "inspect/verify_check.h"
#include "inspect/verify_subject.h"

/// Checks of the gradients of one batch, in which a translator meets a source of padding alone.
namespace heed::inspect {

/// No gradient holds NaN or infinity.
Check check_gradients_finite(const Verified& verified);

/// No parameter is left without a gradient. The bias of keys may be where it shifts all scores of a
/// row alike, which softmax ignores: not where keys are turned by their places, nor in additive and
/// linear attention.
Check check_gradients_reach(const Verified& verified);

}  // namespace heed::inspect
