#include "inspect/explain_numbers.h"

#include <algorithm>
#include <cmath>

#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>

#include "inspect/wrap.h"

namespace heed::inspect {
namespace {

using config::Json;

constexpr std::size_t kWord = 12;  // columns of a word in front of a row
constexpr int64_t kInLine = 8;     // numbers of a list in a line

std::string decimal(double value) { return fmt::format("{:>9.4f}", value); }

}  // namespace

std::string number_table(const NumberTable& table) {
  const auto values = table.values.to(torch::kDouble).cpu();
  const auto at = values.accessor<double, 2>();
  auto out = fmt::format("   {} {}\n", table.name, shape_of(values));
  if (!table.columns.empty()) {
    out += std::string(3 + kWord, ' ');
    for (const auto& word : table.columns) out += fmt::format("{:>9}", word);
    out += '\n';
  }
  for (int64_t r = 0; r < at.size(0); ++r) {
    out += "   " + fitted(table.rows.empty() ? "" : table.rows[r], kWord);
    for (int64_t c = 0; c < at.size(1); ++c) out += decimal(at[r][c]);
    out += '\n';
  }
  return out;
}

std::string number_list(const std::string& name, const torch::Tensor& values, int64_t most) {
  const auto shown = values.to(torch::kDouble).cpu().contiguous();
  const auto* first = shown.const_data_ptr<double>();
  const auto count = std::min(most, shown.numel());
  auto out = fmt::format("   {} {}\n", name, shape_of(values));
  for (int64_t i = 0; i < count; ++i) {
    if (i % kInLine == 0) out += i == 0 ? "  " : "\n  ";
    out += decimal(first[i]);
  }
  if (count < shown.numel()) out += fmt::format("\n   … and {} more", shown.numel() - count);
  return out + '\n';
}

std::string shape_of(const torch::Tensor& x) {
  return fmt::format("[{}]", fmt::join(x.sizes().vec(), ", "));
}

Json numbers_json(const torch::Tensor& x) {
  if (x.dim() == 0) {
    const auto value = x.item<double>();
    return std::isfinite(value) ? Json(value) : Json();
  }
  auto json = Json::array();
  for (int64_t i = 0; i < x.size(0); ++i) json.push_back(numbers_json(x[i]));
  return json;
}

}  // namespace heed::inspect
