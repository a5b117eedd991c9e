#pragma once

#include <istream>
#include <memory>
#include <streambuf>
#include <string>

namespace heed::text {

/// Whether the next bytes are those that begin every gzip file (RFC 1952). Nothing is taken.
bool gzip_next(std::istream& stream);

/// Reads what a gzipped stream holds, one member after the other. Damage ends it early and is told
/// by fault().
class GzipBuffer final : public std::streambuf {
 public:
  explicit GzipBuffer(std::istream& compressed);  // outlives this
  ~GzipBuffer() override;
  GzipBuffer(const GzipBuffer&) = delete;
  GzipBuffer& operator=(const GzipBuffer&) = delete;

  /// What is wrong with the file, and at which of its bytes; empty: nothing so far.
  const std::string& fault() const { return fault_; }

 protected:
  int_type underflow() override;

 private:
  struct State;

  bool fill();
  bool next_member();

  std::istream& compressed_;
  std::unique_ptr<State> state_;
  std::string fault_;
};

}  // namespace heed::text
