#include "cli/load_config.h"

#include "model/attention_registry.h"

namespace heed::cli {

config::Run load_config(const std::string& file, const std::vector<std::string>& edits) {
  return config::load_run(file, edits,
                          [](const config::Run& run) { model::check_attention(run.model); });
}

}  // namespace heed::cli
