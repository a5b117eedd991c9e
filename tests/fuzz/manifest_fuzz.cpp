#include "base/error.h"
#include "checkpoint/manifest.h"
#include "fuzz/input.h"

/// A manifest is refused, or names no file that is not there.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace heed;
  const auto file = fuzz::as_file(fuzz::text_of(data, size), checkpoint::kManifest);
  try {
    const checkpoint::Manifest manifest(file.parent_path());
    manifest.verify("model.safetensors");
    fuzz::require(false);  // there is none
  } catch (const CheckpointError&) {
  }
  return 0;
}
