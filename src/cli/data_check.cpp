#include "cli/data_check.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <utility>

#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>

#include "base/counted.h"
#include "base/shorten.h"
#include "base/torch.h"
#include "cli/training_data.h"
#include "data/line_encoder.h"
#include "model/sizes.h"
#include "pipeline/global_tokens.h"

namespace heed::cli {
namespace {

using config::Json;

std::string tokenizer_text(const config::Run& config, const text::Tokenizers& tokenizers) {
  const auto& [source, target] = tokenizers;
  const auto& type = config.tokenizer.type;
  if (!target || source == target) return fmt::format("{}, {} pieces", type, source->size());
  return fmt::format("{}, {} source and {} target pieces", type, source->size(), target->size());
}

/// One split after the other, so that the text of only one is in memory.
class Checker {
 public:
  explicit Checker(const config::Run& config) : config_(config) {}

  void pairs(const std::string& name, const config::Split& split) {
    auto pairs = data::read_pairs(split.source, split.target);
    if (out_.splits.empty()) tokenizers_ = make_tokenizers(config_, pairs, out_.remarks);
    auto files = split.source.all();
    files.insert(files.end(), split.target.begin(), split.target.end());
    const auto replaced = pairs.replaced;
    add(name, *data::pair_encoder(std::move(pairs), tokenizers_, config_.data), files, replaced);
  }

  void table(const std::string& name, const config::Split& split) {
    auto table = data::read_table(split.file, config_.data);
    if (out_.splits.empty()) {
      labels_ = data::label_table(table);
      tokenizers_ = make_tokenizers(config_, table, out_.remarks);
    }
    const auto replaced = table.replaced;
    add(name, *data::table_encoder(std::move(table), tokenizers_.source, labels_, config_.data),
        split.file.all(), replaced);
  }

  DataCheck finish() {
    model::check_sizes(
        config_.model,
        {.source_pieces = tokenizers_.source->size(),
         .target_pieces = tokenizers_.target ? tokenizers_.target->size() : 0,
         .classes = std::ssize(labels_),
         .max_len = config_.data.max_len,
         .global_ids = pipeline::global_ids(config_.model.attention, *tokenizers_.source)});
    out_.tokenizer = tokenizer_text(config_, tokenizers_);
    return std::move(out_);
  }

 private:
  void add(const std::string& name, data::LineEncoder& encoder, std::vector<std::string> files,
           int64_t replaced) {
    const auto* train = out_.splits.empty() ? nullptr : &out_.splits.front();
    auto check =
        data::check_split(name, encoder, labels_, config_.data, torch::get_num_threads(), train);
    check.files = std::move(files);
    check.replaced = replaced;
    out_.splits.push_back(std::move(check));
  }

  const config::Run& config_;
  text::Tokenizers tokenizers_{};
  std::vector<std::string> labels_{};
  DataCheck out_{};
};

Json lengths_json(const data::Lengths& lengths) {
  return {{"min", lengths.min}, {"mean", lengths.mean}, {"median", lengths.median},
          {"p95", lengths.p95}, {"p99", lengths.p99},   {"max", lengths.max}};
}

Json lines_json(const data::FoundLines& lines) {
  auto first = Json::array();
  for (const auto& line : lines.first)
    first.push_back(fmt::format("{}:{}", line.file, line.number));
  return {{"count", lines.count}, {"first", first}};
}

Json side_json(const data::SideCheck& side, bool against_train) {
  Json json{{"characters", lengths_json(side.characters)}, {"words", lengths_json(side.words)},
            {"tokens", lengths_json(side.tokens)},         {"token_count", side.token_count},
            {"unknown_count", side.unknown_count},         {"unknown_share", side.unknown_share()},
            {"repeated", lines_json(side.repeated)}};
  if (against_train) json["in_train"] = lines_json(side.in_train);
  return json;
}

Json split_json(const data::SplitCheck& split) {
  const bool against_train = split.name != "train";
  Json json{{"files", split.files},
            {"lines", split.left_out.lines},
            {"used", split.used},
            {"ill_formed", split.replaced},
            {"left_out",
             {{"empty", lines_json(split.left_out.empty)},
              {"overlong", lines_json(split.left_out.overlong)},
              {"unbalanced", lines_json(split.left_out.unbalanced)}}},
            {"sides", Json::object()},
            {"repeated", lines_json(split.repeated)}};
  for (const auto& side : split.sides) json["sides"][side.name] = side_json(side, against_train);
  if (against_train) json["in_train"] = lines_json(split.in_train);
  if (!split.labels.empty()) json["labels"] = split.labels;
  json["suspicious"] = Json::object();
  for (const auto& kind : split.suspicious) json["suspicious"][kind.kind] = lines_json(kind.lines);
  return json;
}

constexpr std::size_t kWidth = 80;

std::string file_name(const std::string& file) {
  return std::filesystem::path(file).filename().string();
}

constexpr std::string_view kAndMore = ", ...";

/// "a, b, ...": items that fit `room` columns, of `count` in all; the first one is there in any
/// case.
std::string few(const std::vector<std::string>& items, int64_t count, std::size_t room) {
  std::string text;
  int64_t named = 0;
  for (const auto& item : items) {
    const auto next = (named > 0 ? ", " : "") + item;
    const std::size_t rest = named + 1 < count ? kAndMore.size() : 0;
    if (named > 0 && width_of(text + next) + rest > room) break;
    text += next;
    ++named;
  }
  if (named < count) text += kAndMore;
  return text;
}

/// "train.en:3, train.en:7, ..." in `room` columns; a long name loses its middle, none its number.
std::string few_lines(const data::FoundLines& lines, std::size_t room) {
  std::vector<std::string> places;
  for (const auto& line : lines.first) {
    const auto number = fmt::format(":{}", line.number);
    const auto taken = number.size() + (lines.count > 1 ? kAndMore.size() : 0);
    places.push_back(shortened_in_middle(file_name(line.file), room - taken) + number);
  }
  return few(places, lines.count, room);
}

/// "  name      12  train.en:3, ..."; nothing where there is no such line.
std::string found_row(const std::string& name, const data::FoundLines& lines) {
  if (lines.count == 0) return "";
  const auto begin = fmt::format("  {:<30} {:>9}  ", name, lines.count);
  return begin + few_lines(lines, kWidth - width_of(begin)) + "\n";
}

std::string length_row(const std::string& name, const data::Lengths& lengths) {
  return fmt::format("  {:<20} {:>8} {:>8.1f} {:>8} {:>8} {:>8} {:>8}\n", name, lengths.min,
                     lengths.mean, lengths.median, lengths.p95, lengths.p99, lengths.max);
}

std::string files_text(const data::SplitCheck& split, std::size_t room) {
  std::vector<std::string> names;
  const auto most = room - (split.files.size() > 1 ? kAndMore.size() : 0);
  for (const auto& file : split.files) names.push_back(shortened_in_middle(file_name(file), most));
  return few(names, std::ssize(names), room);
}

std::string label_rows(const data::SplitCheck& split) {
  std::string text;
  int64_t all = 0;
  for (const auto& [label, count] : split.labels) all += count;
  for (const auto& [label, count] : split.labels) {
    text += fmt::format("  label {:<24} {:>9}  {:5.1f} %\n", shortened(label, 24), count,
                        100.0 * static_cast<double>(count) / static_cast<double>(all));
  }
  return text;
}

std::string split_text(const data::SplitCheck& split) {
  const auto heading = fmt::format("{:<8} {}, {} used · ", split.name,
                                   counted(split.left_out.lines, "line"), split.used);
  auto text = fmt::format("\n{}{}\n", heading, files_text(split, kWidth - width_of(heading)));
  text += fmt::format("  {:<20} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}\n", "", "min", "mean", "median",
                      "95 %", "99 %", "max");
  for (const auto& side : split.sides) {
    text += length_row(side.name + " characters", side.characters);
    text += length_row(side.name + " words", side.words);
    text += length_row(side.name + " tokens", side.tokens);
  }
  for (const auto& side : split.sides) {
    text += fmt::format("  {:<30} {:>9}  {:.3f} % of {}\n", side.name + " unknown tokens",
                        side.unknown_count, 100 * side.unknown_share(), side.token_count);
  }
  text += label_rows(split);
  text += found_row("left out, empty", split.left_out.empty);
  text += found_row("left out, over data.max_len", split.left_out.overlong);
  text += found_row("left out, over data.max_ratio", split.left_out.unbalanced);
  const bool pairs = split.sides.size() > 1;
  for (const auto& side : split.sides) text += found_row("repeated " + side.name, side.repeated);
  text += found_row(pairs ? "repeated pair" : "repeated text with its label", split.repeated);
  for (const auto& side : split.sides)
    text += found_row(side.name + " also in train", side.in_train);
  text += found_row(pairs ? "pair also in train" : "with its label in train", split.in_train);
  for (const auto& kind : split.suspicious) text += found_row("! " + kind.kind, kind.lines);
  return text;
}

}  // namespace

DataCheck check_data(const config::Run& config) {
  Checker checker(config);
  const auto& data = config.data;
  const std::array splits{std::pair("train", data.train), std::pair("valid", data.valid),
                          std::pair("test", data.test)};
  for (const auto& [name, split] : splits) {
    if (!split.source.empty()) checker.pairs(name, split);
    if (!split.file.empty()) checker.table(name, split);
  }
  return checker.finish();
}

Json to_json(const DataCheck& check) {
  Json json{{"tokenizer", check.tokenizer}, {"remarks", check.remarks}, {"splits", Json::object()}};
  for (const auto& split : check.splits) json["splits"][split.name] = split_json(split);
  return json;
}

std::string to_text(const DataCheck& check) {
  auto text = fmt::format("tokenizer {}\n", check.tokenizer);
  for (const auto& remark : check.remarks) text += remark + "\n";
  std::vector<const data::SuspiciousLines*> kinds;
  for (const auto& split : check.splits) {
    text += split_text(split);
    for (const auto& kind : split.suspicious) {
      const auto known = [&](const auto* other) { return other->kind == kind.kind; };
      if (kind.lines.count > 0 && std::ranges::none_of(kinds, known)) kinds.push_back(&kind);
    }
  }
  if (!kinds.empty()) text += "\n";
  for (const auto* kind : kinds) text += fmt::format("! {:<14} {}\n", kind->kind, kind->meaning);
  return text;
}

}  // namespace heed::cli
