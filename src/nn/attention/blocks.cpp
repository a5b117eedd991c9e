#include "nn/attention/blocks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "nn/attention/explicit_attention.h"
#include "nn/attention/random_keys.h"
#include "nn/kernels/blocked_attention.h"
#include "nn/mask.h"
#include "nn/precision.h"

namespace heed::nn {
namespace {

/// Tokens that all meet, of each row: `keys` int64 [1 or B, G], -1 where a row has fewer.
struct Globals {
  torch::Tensor keys{};

  bool any() const { return keys.defined() && keys.size(1) > 0; }
};

Globals find_globals(const torch::Tensor& marks) {
  if (!marks.defined()) return {};
  const auto counts = marks.sum(1);  // [1 or B]
  const auto most = counts.max().item<int64_t>();
  const auto order = marks.to(torch::kInt).argsort(/*stable=*/true, 1, /*descending=*/true);
  const auto real = torch::arange(most, counts.options()) < counts.unsqueeze(1);
  return {torch::where(real, order.narrow(1, 0, most), -1)};
}

/// Lays out the blocks, and the bands they share.
class Planner {
 public:
  Planner(const CoreInput& input, const Pattern& pattern, Globals globals)
      : input_(input),
        pattern_(pattern),
        globals_(std::move(globals)),
        device_(input.query.device()),
        key_len_(input.key.size(2)) {
    user_ = input.visible.allowed;
    while (user_.defined() && user_.dim() < 4) user_ = user_.unsqueeze(0);
    const auto& lengths = input.visible.lengths;
    if (lengths.defined()) shortest_ = lengths.is_cpu() ? lengths.min().item<int64_t>() : 0;
    if (pattern.random > 0) {
      random_.emplace(pattern, input.visible, input.query.size(1), key_len_, device_);
    }
  }

  void add(int64_t first, int64_t len) {
    KeyBlock block{.query_first = first, .query_len = len};
    const int64_t begin = input_.past + first;  // position of the first query
    const int64_t end = begin + len;
    const int64_t window = pattern_.window;
    const bool causal = input_.visible.causal;
    const bool all = window == Pattern::kAll;
    block.key_first = all ? 0 : std::clamp<int64_t>(begin - window, 0, key_len_);
    const int64_t key_end = causal ? end : (all ? key_len_ : end + window);
    block.key_len = std::min(key_end, key_len_) - block.key_first;
    add_band(begin, block);
    add_allowed(block);
    add_extra(begin, block);
    plan->blocks.push_back(std::move(block));
  }

  c10::intrusive_ptr<BlockPlan> plan = c10::make_intrusive<BlockPlan>();
  std::vector<torch::Tensor> bands;

 private:
  /// The window's shape, causality and the bias depend on distances alone: blocks that lie alike
  /// share them.
  void add_band(int64_t begin, KeyBlock& block) {
    const bool all = pattern_.window == Pattern::kAll;
    block.band_first = block.key_first;
    int64_t len = block.key_len;
    if (all && !input_.bias) {
      if (!input_.visible.causal) return;
      block.band_first = std::min(begin, block.key_first + block.key_len);
      len = block.key_first + block.key_len - block.band_first;
    }
    const std::array<int64_t, 3> place{begin - block.band_first, block.query_len, len};
    const auto [found, fresh] = places_.try_emplace(place, std::ssize(bands));
    if (fresh) bands.push_back(band(begin, block.query_len, block.band_first, len));
    block.band = found->second;
  }

  torch::Tensor band(int64_t begin, int64_t query_len, int64_t key_first, int64_t key_len) const {
    constexpr double kHidden = -std::numeric_limits<double>::infinity();
    const auto index = torch::TensorOptions().dtype(torch::kLong).device(device_);
    const auto query = torch::arange(begin, begin + query_len, index).unsqueeze(1);
    const auto ahead = torch::arange(key_first, key_first + key_len, index) - query;  // [Tq, Tk]
    auto allowed = torch::ones_like(ahead, torch::kBool);
    if (pattern_.window != Pattern::kAll) allowed &= ahead.abs() <= pattern_.window;
    if (input_.visible.causal) allowed &= ahead <= 0;

    const auto type = torch::promote_types(input_.query.scalar_type(), torch::kFloat);
    const auto zeros = torch::zeros({1, 1, 1}, index.dtype(type));
    const auto bias =
        input_.bias ? input_.bias->block(begin, query_len, key_first, key_len).to(type) : zeros;
    return bias.masked_fill(~allowed, kHidden);  // [1 or H, Tq, Tk]
  }

  void add_allowed(KeyBlock& block) {
    const auto& lengths = input_.visible.lengths;
    if (lengths.defined() && shortest_ < block.key_first + block.key_len) {
      const auto key =
          torch::arange(block.key_first, block.key_first + block.key_len, lengths.options());
      block.allowed = (key < lengths.unsqueeze(1)).unsqueeze(1).unsqueeze(2);  // [B, 1, 1, K]
    }
    if (user_.defined()) {
      const auto cut = part(part(user_, -2, block.query_first, block.query_len), -1,
                            block.key_first, block.key_len);
      block.allowed = block.allowed.defined() ? block.allowed & cut : cut;
    }
    plan->blind |= lengths.defined() || user_.defined();
  }

  /// x itself where it has one entry for all.
  static torch::Tensor part(const torch::Tensor& x, int64_t dim, int64_t first, int64_t len) {
    return x.size(dim) == 1 ? x : x.narrow(dim, first, len);
  }

  /// Global and random keys, which differ; hidden where the window has them.
  void add_extra(int64_t begin, KeyBlock& block) {
    const auto keys = extra_keys(begin);  // [1 or B, 1 or H, E]
    if (!keys.defined()) return;
    const auto real = (keys >= 0).unsqueeze(2);
    const auto query = torch::arange(begin, begin + block.query_len, keys.options()).unsqueeze(1);
    const auto ahead = keys.unsqueeze(2) - query;  // [..., Tq, E]
    auto allowed = real & (ahead.abs() > pattern_.window);
    const auto& lengths = input_.visible.lengths;
    if (input_.visible.causal) allowed = allowed & (ahead <= 0);
    if (lengths.defined()) allowed = allowed & (keys < lengths.view({-1, 1, 1})).unsqueeze(2);

    block.extra = keys.clamp_min(0);
    if (user_.defined()) {
      const auto rows = part(user_, -2, block.query_first, block.query_len);
      const auto cut = rows.expand({input_.query.size(0), input_.query.size(1), -1, key_len_});
      const auto at = block.extra.unsqueeze(2).expand({cut.size(0), cut.size(1), cut.size(2), -1});
      allowed = allowed & cut.gather(-1, at);
    }
    block.extra_allowed = allowed;
  }

  torch::Tensor extra_keys(int64_t begin) const {
    std::vector<torch::Tensor> all;
    if (globals_.any()) all.push_back(globals_.keys.unsqueeze(1));  // [1 or B, 1, G]
    if (random_) all.push_back(random_->of_block(begin / pattern_.block));
    if (all.empty()) return {};
    if (all.size() == 1) return all.front();
    const int64_t batch = std::max(all[0].size(0), all[1].size(0));
    for (auto& keys : all) keys = keys.expand({batch, input_.query.size(1), -1});
    return torch::cat(all, -1);
  }

  const CoreInput& input_;
  const Pattern& pattern_;
  Globals globals_;
  std::optional<RandomKeys> random_;
  torch::Tensor user_;  // Visible.allowed with all four dimensions
  torch::Device device_;
  int64_t key_len_;
  int64_t shortest_ = 0;
  std::map<std::array<int64_t, 3>, int64_t> places_;
};

/// What these rows of the query may see: rows int64 [B, G] -> bool [B, 1 or H, G, Tk] or undefined
torch::Tensor mask_of_rows(const CoreInput& input, const torch::Tensor& rows) {
  const int64_t key_len = input.key.size(2);
  auto visible = input.visible;
  visible.causal = false;
  visible.allowed = torch::Tensor();
  auto mask = visible_mask(visible, input.past, input.query, input.key);  // by lengths
  const auto row = rows.unsqueeze(1).unsqueeze(3);                        // [B, 1, G, 1]
  const auto combine = [&mask](const torch::Tensor& part) {
    mask = mask.defined() ? mask & part : part;
  };
  if (input.visible.causal) combine(torch::arange(key_len, rows.options()) <= row + input.past);
  auto user = input.visible.allowed;
  if (!user.defined()) return mask;
  while (user.dim() < 4) user = user.unsqueeze(0);
  const int64_t heads = user.size(1);
  user = user.expand({rows.size(0), heads, input.query.size(2), key_len});
  combine(user.gather(2, row.expand({-1, heads, -1, key_len})));
  return mask;
}

/// The rows of global queries see all: the plain formula for them, put in their places.
torch::Tensor with_global_queries(const torch::Tensor& context, const CoreInput& input,
                                  const Globals& globals, const Dropout& dropout) {
  const int64_t batch = input.query.size(0);
  const int64_t heads = input.query.size(1);
  const int64_t query_len = input.query.size(2);
  const auto keys = globals.keys.expand({batch, -1}) - input.past;  // [B, G], rows of the query
  const auto inside = (keys >= 0) & (keys < query_len);
  const auto rows = torch::where(inside, keys, 0);
  const auto at = [&](const torch::Tensor& row, int64_t depth) {
    return row.unsqueeze(1).unsqueeze(3).expand({-1, heads, -1, depth});  // [B, H, G, depth]
  };
  auto seen = input;
  seen.query = input.query.gather(2, at(rows, input.query.size(3)));
  const double scale = 1.0 / std::sqrt(static_cast<double>(input.query.size(-1)));
  const auto own =
      attend_explicitly(seen, dot_scores(seen.query, seen.key, scale), mask_of_rows(input, rows),
                        dropout, {.rows = rows.unsqueeze(1)});

  const auto spare = torch::where(inside, keys, query_len);  // what is no row goes past the end
  auto size = context.sizes().vec();
  size[2] = query_len + 1;
  const auto spread = torch::zeros(size, own.options()).scatter(2, at(spare, own.size(3)), own);
  const auto is_global = torch::zeros({batch, query_len + 1}, inside.options())
                             .scatter(1, spare, true)
                             .narrow(1, 0, query_len)
                             .view({batch, 1, query_len, 1});
  return torch::where(is_global, spread.narrow(2, 0, query_len), context);
}

}  // namespace

torch::Tensor attend_in_blocks(const CoreInput& input, const Pattern& pattern, int64_t at_once,
                               const Dropout& dropout) {
  TORCH_CHECK(!input.kept, "keys that a cache kept are not met in blocks");
  const int64_t query_len = input.query.size(2);
  const auto marks =
      pattern.window == Pattern::kAll
          ? torch::Tensor()
          : global_keys(pattern, input.visible, input.key.size(2), input.query.device());
  const auto globals = find_globals(marks);
  TORCH_CHECK(!input.bias || (!globals.any() && pattern.random == 0),
              "a bias by distance goes with a window alone");

  Planner planner(input, pattern, globals);
  for (int64_t first = 0; first < query_len; first += at_once) {
    planner.add(first, std::min(at_once, query_len - first));
  }
  if (dropout->p() > 0.0 && dropout->is_training() && input.noise) {
    planner.plan->drop = [dropout, noise = *input.noise](const torch::Tensor& weights,
                                                         const DropoutPlaces& places) {
      return dropout->on_weights(weights, &noise, places);
    };
  }
  const double scale = 1.0 / std::sqrt(static_cast<double>(input.query.size(-1)));
  const auto context =
      blocked_attention(input.query, input.key, input.value, planner.bands, planner.plan, scale);
  return globals.any() ? with_global_queries(context, input, globals, dropout) : context;
}

}  // namespace heed::nn
