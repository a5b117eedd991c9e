#pragma once

#include <string>
#include <vector>

#include "config/fields.h"
#include "config/run.h"
#include "data/check.h"

namespace heed::cli {

/// What `heed data check` finds out about the data of a config.
struct DataCheck {
  std::string tokenizer;  // type and pieces
  std::vector<std::string> remarks{};
  std::vector<data::SplitCheck> splits{};  // train, then valid and test where the config names them
};

/// Reads every split as a training and its evaluation would, and throws what they would.
DataCheck check_data(const config::Run& config);

/// tokenizer, remarks, and `splits` by name: files, lines, used, ill_formed, left_out, sides,
/// repeated, in_train, labels, suspicious. A list of lines is {"count", "first": ["FILE:LINE"]}.
config::Json to_json(const DataCheck& check);

/// The same for a person, at most 80 columns wide.
std::string to_text(const DataCheck& check);

}  // namespace heed::cli
