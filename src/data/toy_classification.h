#pragma once

#include <vector>

#include "data/toy_corpus.h"

namespace heed::data {

/// Who does it? Two of a person, an animal and a machine stand in a main clause, active ("the nurse
/// followed the robot") or passive ("the robot was followed by the nurse"), and the label is what
/// kind of the two acts; what a clause after "while" says doesn't matter. Each sentence comes with
/// its mirror image, in which the two are exchanged: the same words and another label, so that
/// words without their order tell no more than a coin. Two beings and a verb of valid or test never
/// stand together in a main clause of train. LABEL<TAB>text, no header; no sentence twice.
std::vector<CorpusFile> make_toy_classification();

}  // namespace heed::data
