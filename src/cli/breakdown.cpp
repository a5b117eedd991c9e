#include "cli/breakdown.h"

#include <algorithm>
#include <utility>

#include <spdlog/fmt/fmt.h>

#include "eval/buckets.h"

namespace heed::cli {
namespace {

using config::Json;

const std::vector<int64_t> kLengths = {0, 1, 6, 11, 16, 21, 31, 41, 61, 101};
const std::vector<int64_t> kUnknowns = {0, 1, 2, 3, 5};

Json rows_json(const std::vector<int64_t>& numbers, const std::vector<int64_t>& starts,
               const ScoreLines& score) {
  auto rows = Json::array();
  for (const auto& bucket : eval::in_buckets(numbers, starts)) {
    Json row{{"from", bucket.from},
             {"to", bucket.to ? Json(*bucket.to) : Json()},
             {"sentences", bucket.places.size()}};
    score(bucket.places, row);
    rows.push_back(std::move(row));
  }
  return rows;
}

/// 3, 3-5 or "5 or more"
std::string stretch(const Json& row) {
  const auto from = row["from"].get<int64_t>();
  if (row["to"].is_null()) return fmt::format("{} or more", from);
  const auto to = row["to"].get<int64_t>();
  return from == to ? fmt::format("{}", from) : fmt::format("{}-{}", from, to);
}

/// The scores of a row: what comes after from, to and sentences. Those in [0, 1] are shares.
std::string table(const std::string& title, const Json& rows) {
  std::string text;
  for (const auto& row : rows) {
    std::string heads, cells;
    for (const auto& [key, value] : row.items()) {
      if (key == "from" || key == "to" || key == "sentences") continue;
      heads += fmt::format(" {:>9}", key);
      cells += key == "accuracy" ? fmt::format(" {:7.2f} %", 100 * value.get<double>())
                                 : fmt::format(" {:9.2f}", value.get<double>());
    }
    if (text.empty()) text = fmt::format("\n{:<16} {:>9}{}\n", title, "sentences", heads);
    text += fmt::format("{:<16} {:>9}{}\n", stretch(row), row["sentences"].get<int64_t>(), cells);
  }
  return text;
}

}  // namespace

void SourceCounts::add(const pipeline::EncodedLine& line, const std::vector<int64_t>& unknown_words,
                       std::size_t place) {
  length.push_back(line.tokens);
  if (!unknown_words.empty()) unknown.push_back(unknown_words.at(place));
}

Json breakdown_json(const SourceCounts& source, const ScoreLines& score) {
  Json json{{"length", rows_json(source.length, kLengths, score)}};
  if (!source.unknown.empty()) json["unknown"] = rows_json(source.unknown, kUnknowns, score);
  return json;
}

std::string breakdown_text(const Json& breakdown) {
  auto text = table("source tokens", breakdown["length"]);
  if (breakdown.contains("unknown")) text += table("unknown words", breakdown["unknown"]);
  return text;
}

}  // namespace heed::cli
