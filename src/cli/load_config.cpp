#include "cli/load_config.h"

#include <optional>

#include "base/error.h"
#include "model/attention_registry.h"

namespace heed::cli {
namespace {

void check_model(const config::Run& run) { model::check_attention(run.model); }

}  // namespace

config::Run load_config(const std::string& file, const std::vector<std::string>& edits) {
  return config::load_run(file, edits, check_model);
}

config::Run load_shape(const std::string& file, const std::vector<std::string>& edits) {
  std::optional<config::Run> shape;
  try {
    return config::load_run(file, edits, [&](const config::Run& run) {
      check_model(run);
      shape = run;
    });
  } catch (const DataError&) {
    if (!shape) throw;  // the config itself is not there
    return *shape;
  }
}

}  // namespace heed::cli
