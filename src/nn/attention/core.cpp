#include "nn/attention/core.h"

#include "nn/attention/key_value_cache.h"

namespace heed::nn {

std::unique_ptr<AttentionCache> AttentionCore::start(int64_t max_len,
                                                     const CacheOptions& options) const {
  return std::make_unique<GrowingCache>(max_len, options);
}

std::unique_ptr<AttentionCache> AttentionCore::remember(const torch::Tensor& key,
                                                        const torch::Tensor& value,
                                                        const torch::Tensor& lengths,
                                                        const CacheOptions& options) const {
  return std::make_unique<MemoryCache>(key, value, lengths, options);
}

}  // namespace heed::nn
