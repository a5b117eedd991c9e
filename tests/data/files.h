#pragma once

#include <string>

#include "base/files.h"
#include "support/scratch.h"

namespace heed::data::test {

/// A directory of small files for one test.
class Files {
 public:
  std::string write(const std::string& name, const std::string& bytes) const {
    write_file(scratch_ / name, bytes);
    return path(name);
  }
  std::string path(const std::string& name) const { return (scratch_ / name).string(); }

 private:
  heed::test::ScratchDirectory scratch_;
};

}  // namespace heed::data::test
