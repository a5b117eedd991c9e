#include "nn/attention/kept_visible.h"

namespace heed::nn {

Visible visible_of_kept(const Visible& visible, const KeptPositions& kept, torch::Device device) {
  Visible seen{.global = visible.global};
  if (!visible.lengths.defined() && !visible.allowed.defined()) return seen;
  const auto places = kept.tensor(device);
  auto allowed = visible.allowed;
  if (allowed.defined() && allowed.size(-1) != 1) {
    TORCH_CHECK(allowed.size(-1) == kept.count, "allowed covers ", allowed.size(-1),
                " keys, and the cache has seen ", kept.count);
    allowed = allowed.index_select(-1, places);
  }
  if (visible.lengths.defined()) {
    const auto real = (places < visible.lengths.unsqueeze(1)).unsqueeze(1).unsqueeze(2);
    allowed = allowed.defined() ? allowed & real : real;  // [B, 1, 1, Tk]
  }
  seen.allowed = allowed;
  return seen;
}

Visible visible_of_one(const Visible& visible, int64_t past, int64_t query) {
  auto one = visible;
  auto& allowed = one.allowed;
  if (!allowed.defined()) return one;
  if (allowed.dim() > 1 && allowed.size(-2) != 1) allowed = allowed.narrow(-2, query, 1);
  if (allowed.size(-1) != 1) allowed = allowed.narrow(-1, 0, past + query + 1);
  return one;
}

}  // namespace heed::nn
