#pragma once

#include <vector>

#include "data/toy_corpus.h"

namespace heed::data {

/// English and German of one meaning each: agreement in gender, case and number, verbs at the end
/// after modal verbs, in the perfect tense and in subordinate clauses, inversion after what opens a
/// sentence. .links beside them: "i-j" for each pair of words that belong together, source first.
///
/// A subject, verb, recipient and object of valid or test never stand together in train, nor an
/// adjective and its noun; each alone, and each form of it, does. No sentence comes twice.
std::vector<CorpusFile> make_toy_translation();

}  // namespace heed::data
