#include "model/cache_options.h"

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

bool lossy(const nn::CacheOptions& options) {
  return options.max > 0 || options.precision != nn::CacheOptions::Precision::kSame;
}

}  // namespace heed::model
