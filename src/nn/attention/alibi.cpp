#include "nn/attention/alibi.h"

#include <bit>
#include <cmath>
#include <vector>

namespace heed::nn {

torch::Tensor alibi_slopes(int64_t heads) {
  const auto below = static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(heads)));
  std::vector<double> slopes;
  for (int64_t head = 1; head <= below; ++head) {
    slopes.push_back(std::exp2(-8.0 * static_cast<double>(head) / static_cast<double>(below)));
  }
  for (int64_t odd = 1; odd <= 2 * (heads - below); odd += 2) {
    slopes.push_back(std::exp2(-4.0 * static_cast<double>(odd) / static_cast<double>(below)));
  }
  return torch::tensor(slopes, torch::kDouble).to(torch::kFloat);
}

AlibiImpl::AlibiImpl(int64_t heads) {
  TORCH_CHECK(heads > 0, "there are no ", heads, " heads");
  slopes_ = register_buffer("table", alibi_slopes(heads).unsqueeze(1));
}

torch::Tensor AlibiImpl::block(int64_t query_first, int64_t query_len, int64_t key_first,
                               int64_t key_len) const {
  const int64_t least = key_first - (query_first + query_len - 1);
  const auto distance = torch::arange(least, least + query_len + key_len - 1, slopes_.options());
  return by_distance(distance.abs() * -slopes_, query_len);  // [H, Tq, Tk]
}

}  // namespace heed::nn
