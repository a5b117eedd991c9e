#include "checkpoint/metrics.h"

#include <string>
#include <string_view>

#include "base/files.h"

namespace fs = std::filesystem;

namespace heed::checkpoint {
namespace {

using Json = nlohmann::ordered_json;

/// Whether a line was written at or before `step`. A note has no step, and belongs where it stands.
bool belongs(std::string_view line, int64_t step) {
  const auto json = Json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return false;  // cut off by a kill
  const auto number = json.find("step");
  return number == json.end() || !number->is_number_integer() || number->get<int64_t>() <= step;
}

/// The whole lines up to `step`.
std::string kept_lines(const std::string& text, int64_t step) {
  std::size_t kept = 0;
  while (kept < text.size()) {
    const auto end = text.find('\n', kept);
    if (end == text.npos || !belongs(std::string_view(text).substr(kept, end - kept), step)) break;
    kept = end + 1;
  }
  return text.substr(0, kept);
}

}  // namespace

MetricsWriter::MetricsWriter(const fs::path& file, int64_t step) : file_(file) {
  if (step > 0 && fs::exists(file)) {
    replace_file(file, kept_lines(read_file(file), step));
  } else {
    replace_file(file, "");
  }
  stream_ = std::fopen(file.c_str(), "abe");
  if (stream_ == nullptr) throw_unwritable(file);
}

MetricsWriter::~MetricsWriter() { std::fclose(stream_); }

void MetricsWriter::write(const Json& line) {
  const auto text = line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  const bool whole = std::fwrite(text.data(), 1, text.size(), stream_) == text.size();
  if (!whole || std::fflush(stream_) != 0) throw_unwritable(file_);
}

}  // namespace heed::checkpoint
