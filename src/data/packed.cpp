#include "data/packed.h"

namespace heed::data {

void Packed::add(const Example& example) {
  const auto add_ids = [&](const std::vector<int64_t>& ids) {
    for (const auto id : ids) ids_.push_back(static_cast<int32_t>(id));
  };
  add_ids(example.source);
  add_ids(example.target);
  begin_.push_back(std::ssize(ids_));
  source_.push_back(static_cast<int32_t>(example.source.size()));
  label_.push_back(static_cast<int32_t>(example.label));
  index_.push_back(example.index);
}

Example Packed::operator[](int64_t place) const {
  const auto begin = ids_.begin() + begin_[place];
  const auto middle = begin + source_[place];
  const auto end = ids_.begin() + begin_[place + 1];
  return {.source = {begin, middle},
          .target = {middle, end},
          .label = label_[place],
          .index = index_[place]};
}

std::vector<Shape> Packed::shapes() const {
  std::vector<Shape> shapes(index_.size());
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const auto ids = static_cast<int32_t>(begin_[i + 1] - begin_[i]);
    shapes[i] = {.source = source_[i] + 1, .target = label_[i] < 0 ? ids - source_[i] + 1 : 0};
  }
  return shapes;
}

}  // namespace heed::data
