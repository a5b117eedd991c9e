#include "base/error.h"
#include "data/table.h"
#include "fuzz/input.h"

/// A table is refused, or every record has a label and lies behind the one before.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace heed;
  config::Data config;
  config.text = {"text"};
  config.label = "label";
  try {
    const auto file = fuzz::as_file(fuzz::text_of(data, size), "table.tsv");
    const auto table = data::read_table(file.string(), config);
    int64_t line = 0;
    for (const auto& record : table.records) {
      fuzz::require(record.line > line && !record.label.empty());
      line = record.line;
    }
    fuzz::require(!data::label_table(table).empty());
  } catch (const DataError&) {
  } catch (const ConfigError&) {
  }
  return 0;
}
