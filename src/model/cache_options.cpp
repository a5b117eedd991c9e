#include "model/cache_options.h"

#include <spdlog/fmt/fmt.h>

#include "base/error.h"
#include "config/choice.h"

namespace heed::model {

nn::CacheOptions cache_options(const config::Decode& config) {
  using Precision = nn::CacheOptions::Precision;
  config::check_choice("decode.cache_precision", config.cache_precision, {"fp32", "bf16", "int8"});
  const bool int8 = config.cache_precision == "int8";
  const auto narrow = int8 ? Precision::kInt8 : Precision::kBf16;
  return {.max = config.cache_max,
          .precision = config.cache_precision == "fp32" ? Precision::kSame : narrow};
}

bool rounds(const nn::CacheOptions& options) {
  return options.precision != nn::CacheOptions::Precision::kSame;
}

bool lossy(const nn::CacheOptions& options) { return options.max > 0 || rounds(options); }

void check_caches(const config::Model& model, const config::Decode& decode) {
  const bool sums = !model.recurrent() && model.attention.type == "linear";
  if (!sums || !lossy(cache_options(decode))) return;
  throw ConfigError(fmt::format(
      "decode.{}: model.attention.type 'linear' keeps two sums, and no keys to {}; leave it out",
      decode.cache_max > 0 ? "cache_max" : "cache_precision",
      decode.cache_max > 0 ? "forget" : "round"));
}

}  // namespace heed::model
