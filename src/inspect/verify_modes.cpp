#include "inspect/verify_modes.h"

#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>

#include "base/error.h"
#include "checkpoint/safetensors.h"
#include "inspect/verify_training_mode.h"

namespace fs = std::filesystem;

namespace heed::inspect {
namespace {

constexpr double kCached = 1e-4;  // log p
constexpr double kSameModes = 1e-6;
constexpr double kDrops = 1e-4;

nn::Noise noise_for(const Texts& texts) {
  return {.seed = 1, .step = 1, .examples = torch::arange(texts.source.size(0))};
}

/// A file in a fresh directory of its own, both gone with the object.
class ScratchFile {
 public:
  ScratchFile() {
    auto name = (fs::temp_directory_path() / "heed-verify-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw Error(name + ": cannot be made");
    directory_ = name;
  }
  ~ScratchFile() {
    std::error_code ignored;
    fs::remove_all(directory_, ignored);
  }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  fs::path path() const { return directory_ / "model.safetensors"; }

 private:
  fs::path directory_;
};

}  // namespace

Check check_cached(const Verified& verified) {
  if (!verified.model.translates()) return not_applicable("a classifier writes no text");
  const torch::NoGradGuard no_grad;
  const auto texts = uneven_texts(verified, 6);
  return at_most(distance(verified.model.predict(texts), verified.model.predict_stepwise(texts)),
                 kCached);
}

Check check_modes(const Verified& verified) {
  const torch::NoGradGuard no_grad;
  const auto texts = uneven_texts(verified, 7);
  const auto noise = noise_for(texts);
  const auto plain = verified.model.predict(texts);
  const auto of_noise = distance(plain, verified.model.predict(texts, &noise));
  const TrainingMode training(verified.model.module());
  return at_most(std::max(of_noise, distance(plain, verified.model.predict(texts))), kSameModes);
}

Check check_dropout(const Verified& verified) {
  const auto& config = verified.config;
  if (config.dropout == 0.0 && config.attention.dropout == 0.0) {
    return not_applicable("model.dropout and model.attention.dropout are 0");
  }
  const torch::NoGradGuard no_grad;
  const auto texts = uneven_texts(verified, 7);
  const auto noise = noise_for(texts);
  const auto plain = verified.model.predict(texts);
  const TrainingMode training(verified.model.module());
  return at_least(distance(plain, verified.model.predict(texts, &noise)), kDrops);
}

Check check_reload(const Verified& verified) {
  const torch::NoGradGuard no_grad;
  const auto texts = uneven_texts(verified, 8);
  const auto before = verified.model.predict(texts);

  const ScratchFile file;
  checkpoint::write_safetensors(file.path(), checkpoint::named_tensors(verified.model.module()));
  const auto other = verified.build(0x5eed);
  other.module().to(verified.model.device());
  checkpoint::load_into(other.module(), checkpoint::read_safetensors(file.path()),
                        file.path().string());
  other.module().eval();
  return at_most(distance(before, other.predict(texts)), 0.0);
}

}  // namespace heed::inspect
