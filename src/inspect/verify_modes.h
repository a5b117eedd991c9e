#pragma once

#include "inspect/verify_check.h"
#include "inspect/verify_subject.h"

/// Checks that a model predicts the same however it is run.
namespace heed::inspect {

/// Token after token through a cache equals all at once. Of a translator.
Check check_cached(const Verified& verified);

/// Training mode without noise, and noise in eval mode, change nothing.
Check check_modes(const Verified& verified);

/// Noise in training mode does.
Check check_dropout(const Verified& verified);

/// A file of the weights, read into a model that began with others, predicts the same.
Check check_reload(const Verified& verified);

}  // namespace heed::inspect
