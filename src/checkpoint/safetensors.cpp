#include "checkpoint/safetensors.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>

#include "base/error.h"
#include "base/files.h"
#include "checkpoint/safetensors_header.h"

namespace fs = std::filesystem;

namespace heed::checkpoint {
namespace {

static_assert(std::endian::native == std::endian::little, "safetensors are little endian");

constexpr uint64_t kLengthBytes = 8;
constexpr uint64_t kMostHeaderBytes = 100'000'000;  // as the format's own library

/// Larger elements first, so that each tensor begins at a multiple of its element's size.
std::vector<StoredTensor> lay_out(const NamedTensors& tensors) {
  std::vector<StoredTensor> stored;
  for (const auto& [name, tensor] : tensors) {
    stored.push_back({.name = name, .type = tensor.scalar_type(), .shape = tensor.sizes().vec()});
  }
  std::ranges::stable_sort(stored, std::greater{},
                           [](const auto& one) { return c10::elementSize(one.type); });
  uint64_t place = 0;
  for (auto& one : stored) {
    one.begin = place;
    place += tensors.at(one.name).numel() * c10::elementSize(one.type);
    one.end = place;
  }
  return stored;
}

std::string_view bytes_of(const torch::Tensor& tensor) {  // contiguous, on the CPU
  return {static_cast<const char*>(tensor.const_data_ptr()), tensor.nbytes()};
}

[[noreturn]] void throw_damaged(const fs::path& file, const std::string& what) {
  throw CheckpointError(fmt::format("{}: {}", file.string(), what));
}

uint64_t size_of(const fs::path& file) {
  std::error_code reason;
  const auto size = fs::file_size(file, reason);
  if (reason) throw_damaged(file, "cannot be read: " + reason.message());
  return size;
}

void read_into(std::ifstream& in, void* out, uint64_t bytes, const fs::path& file) {
  if (bytes == 0) return;
  if (!in.read(static_cast<char*>(out), static_cast<std::streamsize>(bytes))) {
    throw_damaged(file, std::string("cannot be read: ") + std::strerror(errno));
  }
}

std::string read_header_text(std::ifstream& in, uint64_t file_bytes, const fs::path& file) {
  if (file_bytes < kLengthBytes) {
    throw_damaged(file, fmt::format("is no safetensors file: {} bytes", file_bytes));
  }
  uint64_t bytes = 0;
  read_into(in, &bytes, kLengthBytes, file);
  if (bytes > file_bytes - kLengthBytes || bytes > kMostHeaderBytes) {
    throw_damaged(file, fmt::format("is no safetensors file: a header of {} bytes in a file of {}",
                                    bytes, file_bytes));
  }
  if (in.peek() != '{')
    throw_damaged(file, "is no safetensors file: its header is not a JSON object");
  std::string text(bytes, '\0');
  read_into(in, text.data(), bytes, file);
  return text;
}

torch::Tensor read_tensor(std::ifstream& in, const StoredTensor& stored, const fs::path& file) {
  auto tensor = torch::empty(stored.shape, stored.type);
  read_into(in, tensor.mutable_data_ptr(), stored.end - stored.begin, file);
  if (stored.type == torch::kBool &&
      std::ranges::any_of(bytes_of(tensor), [](char byte) { return byte != 0 && byte != 1; })) {
    throw_damaged(file, fmt::format("tensor '{}': BOOL bytes must be 0 or 1", stored.name));
  }
  return tensor;
}

/// A buffer that follows from the config, as sinusoids do: no checkpoint holds it, and one that
/// does is not believed.
bool computed(const std::string& name) { return name == "table" || name.ends_with(".table"); }

/// All names of one tensor; adjacent slices of a buffer are tensors of their own.
struct Group {
  std::vector<std::string> names;
  torch::Tensor tensor;
};

std::vector<Group> groups_of(const torch::nn::Module& module) {
  using Key = std::tuple<const void*, std::vector<int64_t>, std::vector<int64_t>>;
  std::map<Key, std::size_t> places;
  std::vector<Group> groups;
  const auto add = [&](const std::string& name, const torch::Tensor& tensor) {
    if (!tensor.defined()) return;
    const Key key{tensor.const_data_ptr(), tensor.sizes().vec(), tensor.strides().vec()};
    const auto [place, fresh] = places.try_emplace(key, groups.size());
    if (fresh || tensor.numel() == 0) {
      groups.push_back({{name}, tensor});
    } else {
      groups[place->second].names.push_back(name);
    }
  };
  for (const auto& item : module.named_parameters()) add(item.key(), item.value());
  for (const auto& item : module.named_buffers()) {
    if (!computed(item.key())) add(item.key(), item.value());
  }
  return groups;
}

void check_shape(const std::string& name, const torch::Tensor& stored, const torch::Tensor& wanted,
                 const std::string& where) {
  if (stored.sizes() != wanted.sizes()) {
    throw CheckpointError(fmt::format("{}: '{}' is [{}], but the model's is [{}]", where, name,
                                      fmt::join(stored.sizes(), ", "),
                                      fmt::join(wanted.sizes(), ", ")));
  }
  if (stored.is_floating_point() != wanted.is_floating_point()) {
    throw CheckpointError(fmt::format("{}: '{}' is {}, but the model's is {}", where, name,
                                      c10::toString(stored.scalar_type()),
                                      c10::toString(wanted.scalar_type())));
  }
}

}  // namespace

void write_safetensors(const fs::path& file, const NamedTensors& tensors,
                       const std::map<std::string, std::string>& metadata) {
  const auto stored = lay_out(tensors);
  const auto header = write_header(stored, metadata);
  const uint64_t length = header.size();

  OutputFile out(file.string());
  out.write({reinterpret_cast<const char*>(&length), kLengthBytes});
  out.write(header);
  for (const auto& one : stored) {
    out.write(bytes_of(tensors.at(one.name).detach().cpu().contiguous()));
  }
  out.commit();
}

NamedTensors read_safetensors(const fs::path& file) {
  const auto file_bytes = size_of(file);
  std::ifstream in(file, std::ios::binary);
  if (!in) throw_damaged(file, std::string("cannot be read: ") + std::strerror(errno));

  const auto header = read_header_text(in, file_bytes, file);
  const auto data_bytes = file_bytes - kLengthBytes - header.size();
  NamedTensors tensors;
  for (const auto& stored : read_header(header, data_bytes, file.string())) {
    tensors.emplace(stored.name, read_tensor(in, stored, file));
  }
  return tensors;
}

NamedTensors named_tensors(const torch::nn::Module& module) {
  NamedTensors tensors;
  for (const auto& group : groups_of(module)) {
    tensors.emplace(group.names.front(), group.tensor.detach());
  }
  return tensors;
}

void load_into(torch::nn::Module& module, const NamedTensors& tensors, const std::string& where) {
  std::vector<std::pair<torch::Tensor, torch::Tensor>> copies;  // to, from
  auto left = tensors;
  for (const auto& group : groups_of(module)) {
    torch::Tensor from;
    for (const auto& name : group.names) {  // any of the names of a tied tensor will do
      const auto found = left.extract(name);
      if (found.empty()) continue;
      check_shape(name, found.mapped(), group.tensor, where);
      if (from.defined() && !torch::equal(from, found.mapped())) {
        throw CheckpointError(
            fmt::format("{}: '{}' and '{}' are one tensor in the model, but differ here", where,
                        group.names.front(), name));
      }
      from = found.mapped();
    }
    if (!from.defined()) {
      throw CheckpointError(fmt::format("{}: '{}' is missing", where, group.names.front()));
    }
    copies.emplace_back(group.tensor, from);
  }
  std::erase_if(left, [](const auto& item) { return computed(item.first); });
  if (!left.empty()) {
    throw CheckpointError(fmt::format("{}: '{}' is not in the model", where, left.begin()->first));
  }

  const torch::NoGradGuard no_grad;
  for (auto& [to, from] : copies) to.copy_(from);
}

}  // namespace heed::checkpoint
