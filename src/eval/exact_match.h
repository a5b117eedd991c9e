#pragma once

#include <string>
#include <vector>

namespace heed::eval {

/// Share of lines, in [0, 1], that equal their reference but for the amount of white space; 0 where
/// there is no line. Throws std::logic_error where the numbers of lines differ.
double exact_match(const std::vector<std::string>& hypotheses,
                   const std::vector<std::string>& references);

}  // namespace heed::eval
