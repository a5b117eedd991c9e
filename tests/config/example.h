#pragma once

#include <filesystem>
#include <string>

#include "base/files.h"
#include "config/json.h"
#include "config/run.h"
#include "support/scratch.h"

namespace heed::test {

/// A folder with a translation config, a classification config and the files they name.
class Example {
 public:
  Example() {
    for (const auto* name : {"train.en", "train.de", "val.en", "val.de", "train.tsv"}) {
      write_file(folder_ / name, "a\n");
    }
    write("translate.json", translation());
    write("classify.json", classification());
  }

  static config::Json translation() {
    return config::parse_json(R"({
      "task": "translate",
      "data": {"train": {"source": "train.en", "target": "train.de"},
               "valid": {"source": "val.en", "target": "val.de"}},
      "model": {"d_model": 16, "heads": 2},
      "train": {"lr": 0.0007, "max_steps": 10}
    })",
                              "example");
  }

  static config::Json classification() {
    return config::parse_json(R"({
      "task": "classify",
      "data": {"train": {"file": "train.tsv"}, "format": "tsv", "text": ["text"]},
      "model": {"pooling": "max"},
      "train": {"max_epochs": 2},
      "decode": {"batch_size": 8}
    })",
                              "example");
  }

  void write(const std::string& name, const config::Json& json) const {
    write_file(folder_ / name, json.dump(2));
  }

  std::filesystem::path operator/(const std::string& name) const { return folder_ / name; }
  const std::filesystem::path& folder() const { return folder_.path(); }

 private:
  ScratchDirectory folder_;
};

/// The text of the Error that `body` throws; empty where it throws none.
template <typename Fault, typename Body>
std::string fault_of(Body body) {
  try {
    body();
  } catch (const Fault& fault) {
    return fault.what();
  }
  return "";
}

}  // namespace heed::test
