#include "nn/attention/kept_rows.h"

namespace heed::nn {
namespace {

constexpr double kLargestInt8 = 127.0;

torch::ScalarType held_type(CacheOptions::Precision precision, torch::ScalarType written) {
  using Precision = CacheOptions::Precision;
  if (precision == Precision::kBf16) return torch::kBFloat16;
  return precision == Precision::kInt8 ? torch::kChar : written;
}

}  // namespace

void KeptRows::make_room(const torch::Tensor& like) {
  written_ = like.scalar_type();
  auto size = like.sizes().vec();
  size[2] = room_;
  data_ = torch::empty(size, like.options().dtype(held_type(precision_, written_)));
  if (precision_ != Precision::kInt8) return;
  size[3] = 1;
  scale_ = torch::empty(size, like.options().dtype(torch::kFloat));
}

void KeptRows::write(int64_t first, const torch::Tensor& x) {
  if (!data_.defined()) make_room(x);
  TORCH_CHECK(x.size(0) == data_.size(0), x.size(0), " rows for a cache of ", data_.size(0));

  auto place = data_.narrow(2, first, x.size(2));
  if (precision_ != Precision::kInt8) {
    place.copy_(x);
    return;
  }
  const auto wide = x.to(torch::kFloat);
  const auto scale = wide.abs().amax(-1, /*keepdim=*/true) / kLargestInt8;  // [B, H, n, 1]
  place.copy_((wide / scale.clamp_min(1e-30)).round());
  scale_.narrow(2, first, x.size(2)).copy_(scale);
}

void KeptRows::hold(const torch::Tensor& x) {
  if (held_type(precision_, x.scalar_type()) != x.scalar_type()) return write(0, x);
  written_ = x.scalar_type();
  data_ = x;
}

torch::Tensor KeptRows::read(int64_t len) const {
  const auto held = data_.narrow(2, 0, len);
  if (precision_ != Precision::kInt8) return held.to(written_);
  return (held.to(torch::kFloat) * scale_.narrow(2, 0, len)).to(written_);
}

void KeptRows::select(const torch::Tensor& rows, int64_t len, int64_t room) {
  room_ = room;
  if (!data_.defined()) return;
  const auto reorder = [&](const torch::Tensor& held) {
    auto size = held.sizes().vec();
    size[0] = rows.size(0);
    size[2] = room;
    auto fresh = torch::empty(size, held.options());
    fresh.narrow(2, 0, len).copy_(held.narrow(2, 0, len).index_select(0, rows));
    return fresh;
  };
  data_ = reorder(data_);
  if (scale_.defined()) scale_ = reorder(scale_);
}

int64_t KeptRows::bytes() const {
  if (!data_.defined()) return 0;
  return static_cast<int64_t>(data_.nbytes() + (scale_.defined() ? scale_.nbytes() : 0));
}

}  // namespace heed::nn
