#include "cli/load_config.h"

#include "base/log.h"
#include "model/attention_registry.h"
#include "model/cache_options.h"

namespace heed::cli {
namespace {

void check_model(const config::Run& run) {
  model::check_attention(run.model);
  if (run.task == "translate") model::check_caches(run.model, run.decode);
  const auto& attention = run.model.attention;
  if (attention.type == "longformer" && attention.global_positions.empty() &&
      attention.global_tokens.empty()) {
    log::warning(
        "model.attention.type: 'longformer' without global_positions and global_tokens is a plain "
        "window");
  }
}

}  // namespace

config::Run load_config(const std::string& file, const std::vector<std::string>& edits) {
  return config::load_run(file, edits, check_model);
}

config::Run load_shape(const std::string& file, const std::vector<std::string>& edits) {
  return config::load_run(file, edits, check_model, config::NamedFiles::kUnread);
}

}  // namespace heed::cli
