#include "base/error.h"
#include "checkpoint/safetensors_header.h"
#include "fuzz/input.h"

/// A header is refused, or its tensors cover the data and writing them gives the same tensors.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace heed;
  if (size < 2) return 0;
  const uint64_t data_bytes = data[0] * 4;
  const auto header = fuzz::text_of(data + 1, size - 1);
  try {
    const auto tensors = checkpoint::read_header(header, data_bytes, "file");
    uint64_t covered = 0;
    for (const auto& tensor : tensors) {
      fuzz::require(tensor.begin == covered && tensor.begin <= tensor.end);
      covered = tensor.end;
    }
    fuzz::require(covered == data_bytes);
    const auto again =
        checkpoint::read_header(checkpoint::write_header(tensors, {}), data_bytes, "file");
    fuzz::require(again.size() == tensors.size());
  } catch (const CheckpointError&) {
  }
  return 0;
}
