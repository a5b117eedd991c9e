#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/json.h"

namespace heed::inspect {

/// One line of the checklist: a number, and the bounds it must keep.
struct Check {
  std::string name{};
  std::optional<double>
      measured{};  // none: the check does not apply; NaN: nothing could be measured
  std::optional<double> at_least{};
  std::optional<double> at_most{};
  std::string reason{};  // why it does not apply, or what the number belongs to

  bool applies() const { return measured.has_value(); }
  bool failed() const;
  std::string result() const;  // pass, fail or n/a
};

Check not_applicable(std::string reason);

/// measured <= bound
Check at_most(double measured, double bound, std::string reason = {});

/// measured >= bound
Check at_least(double measured, double bound, std::string reason = {});

/// A line a check within 80 columns: name, measured, bound, result; where it says more than they
/// do, the reason below, wrapped.
std::string check_line(const Check& check);

/// What stands above such lines.
std::string check_header();

/// {"checks": [{name, measured, at_least, at_most, result, reason}], "passed", "failed",
/// "not_applicable"}; what is missing or no finite number is null.
config::Json checks_json(const std::vector<Check>& checks);

/// "19 pass, 0 fail, 3 n/a"
std::string check_counts(const std::vector<Check>& checks);

}  // namespace heed::inspect
