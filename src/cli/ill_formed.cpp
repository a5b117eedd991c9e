#include "cli/ill_formed.h"

#include "base/counted.h"
#include "base/log.h"
#include "text/vocabulary.h"

namespace heed::cli {

std::string ill_formed_text(const std::string& place, int64_t replaced) {
  if (replaced == 0) return "";
  const auto text = counted(replaced, "ill-formed UTF-8 sequence") + " read as U+FFFD";
  return place.empty() ? text : place + ": " + text;
}

std::string ill_formed_vocabulary(const std::filesystem::path& file) {
  if (!std::filesystem::is_regular_file(file)) return "";
  int64_t replaced = 0;
  text::Vocabulary::open(file, &replaced);
  return ill_formed_text(file.string(), replaced);
}

void warn_if_any(const std::string& warning) {
  if (!warning.empty()) log::warning(warning);
}

}  // namespace heed::cli
