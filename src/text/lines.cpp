#include "text/lines.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>

#include <spdlog/fmt/fmt.h>

#include "base/error.h"
#include "base/utf8.h"
#include "text/characters.h"

namespace heed::text {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

LineReader::LineReader(const std::string& file) : name_(file), stream_(&std::cin) {
  if (file == "-") {
    std::cin.tie(nullptr);  // reading must not write results, whose faults it would swallow
    return;
  }
  if (std::filesystem::is_directory(file)) {
    throw DataError(file + ": is a directory, expected a text file");
  }
  file_.open(file, std::ios::binary);
  if (!file_) throw DataError(file + ": " + std::strerror(errno));
  stream_ = &file_;
  if (!gzip_next(file_)) return;
  gzip_ = std::make_unique<GzipBuffer>(file_);
  unzipped_ = std::make_unique<std::istream>(gzip_.get());
  stream_ = unzipped_.get();
}

bool LineReader::read_line(std::string& line) {
  const bool read = static_cast<bool>(std::getline(*stream_, line, '\n'));
  if (gzip_ && stream_->eof() && !gzip_->fault().empty()) {
    throw DataError(fmt::format("{}:{}: damaged gzip file: {}; fetch or pack it again", name_,
                                line_ + 1, gzip_->fault()));
  }
  if (stream_->bad()) {
    throw DataError(fmt::format("{}: cannot be read after line {}: {}",
                                name_ == "-" ? "standard input" : name_, line_,
                                std::strerror(errno)));
  }
  return read;
}

std::optional<std::string> LineReader::next() {
  std::string line;
  if (!read_line(line)) return std::nullopt;
  if (line_ == 0 && line.starts_with(kByteOrderMark)) {
    line.erase(0, kByteOrderMark.size());
    if (line.empty() && stream_->eof()) return std::nullopt;  // the mark was all there is
  }
  ++line_;
  if (line.ends_with('\r')) line.pop_back();
  return valid_utf8(line, &replaced_);
}

std::vector<std::string> LineReader::take(int64_t count) {
  std::vector<std::string> lines;
  while (std::ssize(lines) < count) {
    auto line = next();
    if (!line) break;
    lines.push_back(std::move(*line));
  }
  return lines;
}

std::vector<std::string> read_lines(const std::string& file, int64_t* replaced) {
  LineReader reader(file);
  std::vector<std::string> lines;
  while (auto line = reader.next()) lines.push_back(std::move(*line));
  *replaced += reader.replaced();
  return lines;
}

std::string without_controls(const std::string& line) {
  const auto plain = [](unsigned char c) { return c >= 0x20 && c < 0x7F; };
  if (std::ranges::all_of(line, plain)) return line;
  auto characters = code_points(line);
  std::ranges::replace_if(characters, is_control, U' ');
  return to_utf8(characters);
}

bool blank(const std::string& line) { return std::ranges::all_of(code_points(line), is_space); }

}  // namespace heed::text
