#include "nn/kernels/keyed_dropout.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "nn/kernels/vectors.h"
#include "nn/precision.h"

namespace heed::nn {
namespace {

// A row's key: the finalizer of SplitMix64 over the example's key and the row's number.
constexpr uint64_t kGolden = 0x9E3779B97F4A7C15;
constexpr uint64_t kRow1 = 0xBF58476D1CE4E5B9;
constexpr uint64_t kRow2 = 0x94D049BB133111EB;

// An element's number: lowbias32 (Ellis Wellons, "Prospecting for hash functions", 2018), with half
// of the row's key added in front and the other half mixed in between its multiplications.
constexpr uint32_t kElement1 = 0x7FEB352D;
constexpr uint32_t kElement2 = 0x846CA68B;

/// An element is dropped when its number is below this.
uint32_t threshold(double p) { return static_cast<uint32_t>(std::lround(p * 4294967295.0)); }

float scale(double p) { return static_cast<float>(1.0 / (1.0 - p)); }

HEED_INLINE uint64_t row_key(uint64_t example_key, uint64_t row) {
  uint64_t z = example_key + (row + 1) * kGolden;
  z = (z ^ (z >> 30)) * kRow1;
  z = (z ^ (z >> 27)) * kRow2;
  return z ^ (z >> 31);
}

HEED_INLINE Unsigned element_numbers(Unsigned element, uint32_t front, uint32_t between) {
  Unsigned z = element + front;
  z = (z ^ (z >> 16)) * kElement1;
  z ^= between;
  z = (z ^ (z >> 15)) * kElement2;
  return z ^ (z >> 16);
}

/// What all rows of a call share.
template <typename T>
struct DropoutRows {
  const T* x;
  const T* residual;  // null = 0
  T* out;
  const int64_t* keys;
  int64_t heads, time, width;
  uint64_t first_row;
  uint32_t first_element;
  uint32_t threshold;
  float scale;
};

template <typename T>
struct DropoutKernel {
  static HEED_INLINE Floats kept(Floats x, Unsigned numbers, const DropoutRows<T>& rows) {
    const Integers mask = numbers >= rows.threshold;
    return reinterpret_cast<Floats>(reinterpret_cast<Integers>(x * rows.scale) & mask);
  }

  template <bool kResidual>
  static HEED_INLINE void row(const DropoutRows<T>& rows, int64_t index) {
    const int64_t per_example = rows.heads * rows.time;
    const auto place = static_cast<uint64_t>(index % per_example);
    const auto time = static_cast<uint64_t>(rows.time);
    const uint64_t number = (place / time << 32) + rows.first_row + place % time;
    const uint64_t key = row_key(static_cast<uint64_t>(rows.keys[index / per_example]), number);
    const auto front = static_cast<uint32_t>(key);
    const auto between = static_cast<uint32_t>(key >> 32);

    const T* x = rows.x + index * rows.width;
    const T* residual = kResidual ? rows.residual + index * rows.width : nullptr;
    T* out = rows.out + index * rows.width;
    Unsigned element = {0, 1, 2, 3, 4, 5, 6, 7};
    element += rows.first_element;
    int64_t first = 0;
    for (; first + kLanes <= rows.width; first += kLanes, element += uint32_t{kLanes}) {
      Floats result = kept(load_floats(x + first), element_numbers(element, front, between), rows);
      if constexpr (kResidual) result += load_floats(residual + first);
      store_floats(out + first, result);
    }
    const int64_t rest = rows.width - first;
    if (rest == 0) return;
    const Floats last = load_part(x + first, rest, 0.0f);
    Floats result = kept(last, element_numbers(element, front, between), rows);
    if constexpr (kResidual) result += load_part(residual + first, rest, 0.0f);
    store_part(out + first, result, rest);
  }

  static HEED_INLINE void run(const DropoutRows<T>* rows, int64_t first, int64_t last) {
    if (rows->residual) {
      for (int64_t index = first; index < last; ++index) row<true>(*rows, index);
    } else {
      for (int64_t index = first; index < last; ++index) row<false>(*rows, index);
    }
  }
};

template <typename T>
void run_rows(const torch::Tensor& x, const torch::Tensor& residual, const torch::Tensor& keys,
              double p, const DropoutPlaces& places, torch::Tensor& out) {
  const DropoutRows<T> rows{
      .x = x.const_data_ptr<T>(),
      .residual = residual.defined() ? residual.const_data_ptr<T>() : nullptr,
      .out = out.mutable_data_ptr<T>(),
      .keys = keys.const_data_ptr<int64_t>(),
      .heads = x.size(1),
      .time = x.size(2),
      .width = x.size(3),
      .first_row = static_cast<uint64_t>(places.row),
      .first_element = static_cast<uint32_t>(places.element),
      .threshold = threshold(p),
      .scale = scale(p),
  };
  const int64_t width = std::max<int64_t>(x.size(3), 1);
  const int64_t grain = 16384 / width + 1;  // rows that are worth a thread
  at::parallel_for(0, x.numel() / width, grain, [&](int64_t first, int64_t last) {
    run_widest<DropoutKernel<T>>(&rows, first, last);
  });
}

torch::Tensor dropout_cpu(const torch::Tensor& x, const torch::Tensor& residual,
                          const torch::Tensor& keys, double p, const DropoutPlaces& places) {
  const auto in = x.contiguous();
  const auto added = residual.defined() ? residual.contiguous() : residual;
  auto out = torch::empty_like(in, torch::MemoryFormat::Contiguous);
  switch (in.scalar_type()) {
    case torch::kBFloat16:
      run_rows<at::BFloat16>(in, added, keys, p, places, out);
      break;
    case torch::kHalf:
      run_rows<at::Half>(in, added, keys, p, places, out);
      break;
    default:
      run_rows<float>(in, added, keys, p, places, out);
  }
  return out;
}

torch::Tensor shift_right(const torch::Tensor& x, int64_t bits) {
  return torch::bitwise_right_shift(x, bits).bitwise_and(
      static_cast<int64_t>(~uint64_t{0} >> bits));
}

torch::Tensor low_half(const torch::Tensor& x) { return x.bitwise_and(0xFFFFFFFF); }

torch::Tensor times(const torch::Tensor& x, uint64_t factor) {
  return x * static_cast<int64_t>(factor);
}

/// The given places, or the range that begins at `first`.
torch::Tensor places_or_range(const torch::Tensor& given, int64_t first, int64_t len,
                              const torch::Tensor& keys) {
  if (given.defined()) return given.to(keys.device());
  return torch::arange(first, first + len, keys.options());
}

/// keys [B] and a shape [B, H, T, D] -> the elements' numbers, below 2^32, int64 [B, H, T, D]
torch::Tensor element_numbers(const torch::Tensor& keys, torch::IntArrayRef shape,
                              const DropoutPlaces& places) {
  const auto head = torch::arange(shape[1], keys.options()).unsqueeze(1);      // [H, 1]
  const auto time = places_or_range(places.rows, places.row, shape[2], keys);  // [T] or wider
  const auto row = head * (int64_t{1} << 32) + time + 1;                       // [H, T] or wider
  auto key = keys.view({-1, 1, 1}) + times(row, kGolden);                      // [B, H, T]
  key = times(key.bitwise_xor(shift_right(key, 30)), kRow1);
  key = times(key.bitwise_xor(shift_right(key, 27)), kRow2);
  key = key.bitwise_xor(shift_right(key, 31)).unsqueeze(-1);  // [B, H, T, 1]

  const auto element = places_or_range(places.elements, places.element, shape[3], keys);  // [D]
  auto number = low_half(element + low_half(key));  // [B, H, T, D]
  number = low_half(times(number.bitwise_xor(shift_right(number, 16)), kElement1));
  number = number.bitwise_xor(shift_right(key, 32));
  number = low_half(times(number.bitwise_xor(shift_right(number, 15)), kElement2));
  return number.bitwise_xor(shift_right(number, 16));
}

torch::Tensor dropout_formula(const torch::Tensor& x, const torch::Tensor& residual,
                              const torch::Tensor& keys, double p, const DropoutPlaces& places) {
  const auto numbers = element_numbers(keys.to(x.device()), x.sizes(), places);
  const auto kept = numbers >= static_cast<int64_t>(threshold(p));
  const auto dropped = (widen(x) * scale(p)).masked_fill(~kept, 0.0);
  const auto sum = residual.defined() ? widen(residual) + dropped : dropped;
  return sum.to(x.scalar_type());
}

torch::Tensor dropout_any(const torch::Tensor& x, const torch::Tensor& residual,
                          const torch::Tensor& keys, double p, const DropoutPlaces& places) {
  const bool has_kernel = x.is_cpu() && x.scalar_type() != torch::kDouble && places.ranges();
  return has_kernel ? dropout_cpu(x, residual, keys, p, places)
                    : dropout_formula(x, residual, keys, p, places);
}

std::optional<torch::Tensor> if_defined(const torch::Tensor& x) {
  return x.defined() ? std::optional(x) : std::nullopt;
}

class KeyedDropout : public torch::autograd::Function<KeyedDropout> {
 public:
  static torch::Tensor forward(torch::autograd::AutogradContext* context, const torch::Tensor& x,
                               const std::optional<torch::Tensor>& residual,
                               const torch::Tensor& keys, double p, const DropoutPlaces& places) {
    context->saved_data["keys"] = keys;
    context->saved_data["row"] = places.row;
    context->saved_data["element"] = places.element;
    context->saved_data["rows"] = if_defined(places.rows);
    context->saved_data["elements"] = if_defined(places.elements);
    context->saved_data["adds"] = residual.has_value();
    context->saved_data["p"] = p;
    return dropout_any(x, residual.value_or(torch::Tensor()), keys, p, places);
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::variable_list gradients) {
    auto& saved = context->saved_data;
    const auto& gradient = gradients[0];
    const DropoutPlaces places{
        .row = saved["row"].toInt(),
        .element = saved["element"].toInt(),
        .rows = saved["rows"].toOptional<torch::Tensor>().value_or(torch::Tensor()),
        .elements = saved["elements"].toOptional<torch::Tensor>().value_or(torch::Tensor()),
    };
    const auto x =
        dropout_any(gradient, {}, saved["keys"].toTensor(), saved["p"].toDouble(), places);
    const bool adds = saved["adds"].toBool();
    return {x, adds ? gradient : torch::Tensor(), {}, {}, {}};
  }
};

void check_shapes(const torch::Tensor& x, const torch::Tensor& residual,
                  const torch::Tensor& keys) {
  TORCH_CHECK(x.dim() == 4, "dropout takes [B, H, T, D], got ", x.sizes());
  TORCH_CHECK(keys.dim() == 1 && keys.size(0) == x.size(0), x.size(0), " rows for ", keys.sizes(),
              " keys");
  TORCH_CHECK(!residual.defined() || residual.sizes() == x.sizes(), "residual ", residual.sizes(),
              " != ", x.sizes());
}

}  // namespace

torch::Tensor keyed_dropout(const torch::Tensor& x, const torch::Tensor& residual,
                            const torch::Tensor& keys, double p, const DropoutPlaces& places) {
  check_shapes(x, residual, keys);
  return KeyedDropout::apply(x, if_defined(residual), keys, p, places);
}

torch::Tensor keyed_dropout_explicit(const torch::Tensor& x, const torch::Tensor& residual,
                                     const torch::Tensor& keys, double p,
                                     const DropoutPlaces& places) {
  check_shapes(x, residual, keys);
  return dropout_formula(x, residual, keys, p, places);
}

}  // namespace heed::nn
