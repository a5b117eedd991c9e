#include "base/error.h"
#include "config/run.h"
#include "fuzz/input.h"

/// A config is refused in one line, or written and read back it is the same.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace heed;
  config::Run run;
  try {
    run = config::parse_run(std::string(fuzz::text_of(data, size)), "config.json");
  } catch (const ConfigError& error) {
    fuzz::require(std::string_view(error.what()).find('\n') == std::string_view::npos);
    return 0;
  }
  const auto json = config::to_json(run);
  fuzz::require(config::to_json(config::parse_run(json, "config.json")) == json);
  return 0;
}
