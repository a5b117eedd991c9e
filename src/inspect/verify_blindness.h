#pragma once

#include "inspect/verify_check.h"
#include "inspect/verify_subject.h"

/// Checks that what must not matter doesn't, and that order does.
namespace heed::inspect {

/// No prediction moves when target tokens after it change. Of a translator.
Check check_future(const Verified& verified);

/// No prediction moves when padding holds other tokens.
Check check_padding(const Verified& verified);

/// A sentence alone gets what it gets among others.
Check check_batch(const Verified& verified);

/// Without positions, permuted tokens give permuted features. The last token of a text keeps its
/// place, since a classifier may read it apart.
Check check_permutation(const Verified& verified);

/// With positions, two tokens that change places change the features of the others.
Check check_swap(const Verified& verified);

}  // namespace heed::inspect
