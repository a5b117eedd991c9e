#include "checkpoint/weight_hashes.h"

#include <fstream>

#include <spdlog/fmt/fmt.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"

namespace heed::checkpoint {
namespace {

using Json = nlohmann::json;

bool is_line(const Json& json) {
  return json.is_object() && json.contains("step") && json["step"].is_number_integer() &&
         json.contains("tensors") && json["tensors"].is_object();
}

}  // namespace

WeightHashes hashes_of(const NamedTensors& tensors) {
  WeightHashes hashes;
  for (const auto& [name, tensor] : tensors) {
    const auto whole = tensor.detach().cpu().contiguous();
    hashes[name] = checksum({static_cast<const char*>(whole.const_data_ptr()),
                             static_cast<std::size_t>(whole.nbytes())});
  }
  return hashes;
}

std::map<int64_t, WeightHashes> read_weight_hashes(const std::filesystem::path& file) {
  std::map<int64_t, WeightHashes> steps;
  std::ifstream lines(file);
  int64_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const auto json = Json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (is_line(json)) {
      steps[json["step"].get<int64_t>()] = json["tensors"].get<WeightHashes>();
    } else if (!lines.eof()) {
      throw DataError(
          fmt::format("{}:{}: is no line of weight fingerprints", file.string(), number));
    }
  }
  return steps;
}

std::optional<Parting> first_difference(const std::map<int64_t, WeightHashes>& a,
                                        const std::map<int64_t, WeightHashes>& b) {
  std::optional<int64_t> last_equal;
  for (const auto& [step, tensors] : a) {
    const auto other = b.find(step);
    if (other == b.end()) continue;
    for (const auto& [name, hash] : tensors) {
      const auto found = other->second.find(name);
      if (found != other->second.end() && found->second == hash) continue;
      return Parting{.step = step, .tensor = name, .last_equal = last_equal};
    }
    last_equal = step;
  }
  return std::nullopt;
}

}  // namespace heed::checkpoint
