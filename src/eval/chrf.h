#pragma once

#include <string>
#include <vector>

namespace heed::eval {

struct ChrfOptions {
  int word_order = 0;  // 0: chrF2; 2: chrF2++, which counts words and word pairs too
  bool lowercase = false;
};

/// chrF (Popović, 2015) and chrF++ (Popović, 2017), 0 to 100, equal to sacreBLEU 2.6.0: F-score of
/// character 1-grams to 6-grams without white space, recall counting double. Both sides empty gives
/// 0. Throws std::logic_error where the numbers of lines differ.
double corpus_chrf(const std::vector<std::string>& hypotheses,
                   const std::vector<std::string>& references, const ChrfOptions& options = {});

/// nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.6.0
std::string chrf_signature(const ChrfOptions& options = {});

}  // namespace heed::eval
