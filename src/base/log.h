#pragma once

#include <filesystem>
#include <string>

/// What heed says to a person: on stderr, in plain lines; stdout is for results.
namespace heed::log {

/// Lines go to stderr from now on; until then nowhere. Call once, first thing in main.
void to_stderr();

/// Lines also go to `file` (appended, with the time in front), until the object dies. Throws Error
/// where the file can't be opened.
class AlsoToFile {
 public:
  explicit AlsoToFile(const std::filesystem::path& file);
  ~AlsoToFile();
  AlsoToFile(const AlsoToFile&) = delete;
  AlsoToFile& operator=(const AlsoToFile&) = delete;
};

void info(const std::string& line);     // as it is
void warning(const std::string& line);  // "warning: ..."
void error(const std::string& line);    // "error: ..."

/// Whether stderr is a terminal; only then does `status` show anything.
bool on_terminal();

/// The line that stands below the log, redrawn in place and cut to the terminal's width (a column
/// for each code point); empty takes it away. A log line clears it first and draws it again.
void status(const std::string& line);

}  // namespace heed::log
