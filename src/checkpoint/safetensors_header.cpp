#include "checkpoint/safetensors_header.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/error.h"

namespace heed::checkpoint {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kMetadataKey = "__metadata__";
constexpr std::size_t kMostDimensions = 64;  // as LibTorch
constexpr std::size_t kShownBytes = 80;      // of a name in an error text

constexpr std::array<std::pair<std::string_view, torch::ScalarType>, 8> kTypes = {{
    {"F32", torch::kFloat32},
    {"F64", torch::kFloat64},
    {"F16", torch::kFloat16},
    {"BF16", torch::kBFloat16},
    {"I64", torch::kInt64},
    {"I32", torch::kInt32},
    {"U8", torch::kUInt8},
    {"BOOL", torch::kBool},
}};

/// In quotes, on one line, not endless: names in a damaged file may hold anything.
std::string shown(const std::string& name) {
  constexpr auto kReplace = Json::error_handler_t::replace;
  return Json(name.substr(0, kShownBytes)).dump(-1, ' ', false, kReplace);
}

/// Reads {"name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, ...} event by event,
/// so that a hostile header costs no more memory than a good one.
class HeaderReader : public nlohmann::json_sax<Json> {
 public:
  explicit HeaderReader(const std::string& where) : where_(where) {}

  std::vector<StoredTensor> take() { return std::move(tensors_); }

  bool start_object(std::size_t /*size*/) override {
    if (place_ == Place::kOutside) {
      place_ = Place::kTop;
    } else if (place_ == Place::kTop) {
      place_ = name_ == kMetadataKey ? Place::kMetadata : Place::kTensor;
      fields_.clear();
      offsets_.clear();
      if (place_ == Place::kTensor) tensors_.push_back({.name = name_, .shape = {}});
    } else {
      fail_here();
    }
    return true;
  }

  bool key(std::string& name) override {
    auto& seen = place_ == Place::kTop ? names_ : fields_;
    if (!seen.insert(name).second) fail(fmt::format("key {} comes twice", shown(name)));
    if (place_ == Place::kTop) {
      name_ = name;
    } else {
      if (place_ == Place::kTensor && name != "dtype" && name != "shape" && name != "data_offsets")
        fail(fmt::format("tensor {}: unknown key {}", shown(name_), shown(name)));
      field_ = name;
    }
    return true;
  }

  bool string(std::string& value) override {
    if (place_ == Place::kMetadata) return true;
    if (place_ != Place::kTensor || field_ != "dtype") fail_here();
    const auto type = std::ranges::find(kTypes, value, [](const auto& one) { return one.first; });
    if (type == kTypes.end()) {
      fail(fmt::format("tensor {}: dtype {} is not one that heed reads", shown(name_),
                       shown(value)));
    }
    tensors_.back().type = type->second;
    return true;
  }

  bool start_array(std::size_t /*size*/) override {
    if (place_ != Place::kTensor || field_ == "dtype") fail_here();
    place_ = field_ == "shape" ? Place::kShape : Place::kOffsets;
    return true;
  }

  bool number_unsigned(uint64_t value) override {
    if (place_ == Place::kShape) {
      auto& shape = tensors_.back().shape;
      if (!std::in_range<int64_t>(value) || shape.size() == kMostDimensions) fail_here();
      shape.push_back(static_cast<int64_t>(value));
    } else if (place_ == Place::kOffsets && offsets_.size() < 2) {
      offsets_.push_back(value);
    } else {
      fail_here();
    }
    return true;
  }

  bool end_array() override {
    place_ = Place::kTensor;
    return true;
  }

  bool end_object() override {
    if (place_ == Place::kTensor) finish_tensor();
    place_ = place_ == Place::kTop ? Place::kOutside : Place::kTop;
    return true;
  }

  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const Json::exception& /*error*/) override {
    fail(fmt::format("header is not JSON, at its byte {}", position));
  }

  bool null() override { fail_here(); }
  bool boolean(bool) override { fail_here(); }
  bool number_integer(int64_t) override { fail_here(); }  // negative
  bool number_float(double, const std::string&) override { fail_here(); }
  bool binary(Json::binary_t&) override { fail_here(); }

 private:
  enum class Place { kOutside, kTop, kMetadata, kTensor, kShape, kOffsets };

  [[noreturn]] void fail(const std::string& what) const {
    throw CheckpointError(fmt::format("{}: {}", where_, what));
  }

  [[noreturn]] void fail_here() const {
    if (place_ == Place::kOutside) fail("header is not a JSON object");
    if (place_ == Place::kTop) fail(fmt::format("{} is not an object", shown(name_)));
    fail(fmt::format("tensor {}: {} is malformed", shown(name_), shown(field_)));
  }

  void finish_tensor() {
    auto& tensor = tensors_.back();
    if (fields_.size() != 3 || offsets_.size() != 2) {
      fail(fmt::format("tensor {}: needs dtype, shape and two data_offsets", shown(tensor.name)));
    }
    tensor.begin = offsets_[0];
    tensor.end = offsets_[1];
  }

  const std::string& where_;
  Place place_ = Place::kOutside;
  std::vector<StoredTensor> tensors_;
  std::string name_;
  std::string field_;
  std::set<std::string> names_;   // at the top
  std::set<std::string> fields_;  // of the object inside
  std::vector<uint64_t> offsets_;
};

/// Bytes of a tensor; none where they don't fit 63 bits.
std::optional<uint64_t> bytes_of(const StoredTensor& tensor) {
  int64_t product = static_cast<int64_t>(c10::elementSize(tensor.type));
  bool empty = false;
  for (const int64_t size : tensor.shape) {
    if (size == 0) {
      empty = true;
    } else if (__builtin_mul_overflow(product, size, &product)) {
      return std::nullopt;
    }
  }
  return empty ? 0 : static_cast<uint64_t>(product);
}

void check_size(const StoredTensor& tensor, uint64_t data_bytes, const std::string& where) {
  const auto [begin, end] = std::pair(tensor.begin, tensor.end);
  if (begin > end || end > data_bytes) {
    throw CheckpointError(
        fmt::format("{}: tensor {}: bytes {} to {} lie outside the {} bytes of data", where,
                    shown(tensor.name), begin, end, data_bytes));
  }
  const auto bytes = bytes_of(tensor);
  if (bytes && *bytes == end - begin) return;
  throw CheckpointError(fmt::format("{}: tensor {}: {} [{}] takes {} bytes, but {} are stored",
                                    where, shown(tensor.name), type_name(tensor.type),
                                    fmt::join(tensor.shape, ", "),
                                    bytes ? std::to_string(*bytes) : "too many", end - begin));
}

void check_cover(const std::vector<StoredTensor>& tensors, uint64_t data_bytes,
                 const std::string& where) {
  uint64_t covered = 0;
  for (const auto& tensor : tensors) {
    if (tensor.begin != covered) {
      throw CheckpointError(
          fmt::format("{}: tensor {}: {} at byte {} of the data", where, shown(tensor.name),
                      tensor.begin < covered ? "overlaps another" : "leaves a gap",
                      std::min(tensor.begin, covered)));
    }
    covered = tensor.end;
  }
  if (covered == data_bytes) return;
  throw CheckpointError(
      fmt::format("{}: {} bytes after the last tensor", where, data_bytes - covered));
}

}  // namespace

std::string type_name(torch::ScalarType type) {
  const auto found = std::ranges::find(kTypes, type, [](const auto& one) { return one.second; });
  if (found == kTypes.end()) {
    throw std::logic_error(fmt::format("{} tensors are not stored", c10::toString(type)));
  }
  return std::string(found->first);
}

std::string write_header(const std::vector<StoredTensor>& tensors,
                         const std::map<std::string, std::string>& metadata) {
  auto header = Json::object();
  if (!metadata.empty()) header[std::string(kMetadataKey)] = metadata;
  for (const auto& tensor : tensors) {
    auto entry = Json::object();
    entry["dtype"] = type_name(tensor.type);
    entry["shape"] = tensor.shape;
    entry["data_offsets"] = {tensor.begin, tensor.end};
    header[tensor.name] = std::move(entry);
  }
  auto text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');
  return text;
}

std::vector<StoredTensor> read_header(std::string_view header, uint64_t data_bytes,
                                      const std::string& where) {
  if (!header.starts_with('{')) {
    throw CheckpointError(fmt::format("{}: header is not a JSON object", where));
  }
  HeaderReader reader(where);
  Json::sax_parse(header.begin(), header.end(), &reader);

  auto tensors = reader.take();
  for (const auto& tensor : tensors) check_size(tensor, data_bytes, where);
  std::ranges::sort(tensors, {}, [](const auto& one) { return std::pair(one.begin, one.end); });
  check_cover(tensors, data_bytes, where);
  return tensors;
}

}  // namespace heed::checkpoint
