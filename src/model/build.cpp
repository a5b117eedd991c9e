#include "model/build.h"

#include <mutex>

#include <ATen/CPUGeneratorImpl.h>

#include "model/encoder_classifier.h"
#include "model/rnn_classifier.h"
#include "model/rnn_translator.h"
#include "model/transformer.h"
#include "nn/dropout.h"

namespace heed::model {
namespace {

/// Seeds the generator that initialization draws from, and gives it back as it was.
class Seeded {
 public:
  explicit Seeded(uint64_t seed) : generator_(at::detail::getDefaultCPUGenerator()) {
    const std::lock_guard lock(generator_.mutex());
    before_ = generator_.get_state();
    generator_.set_current_seed(seed);
  }

  ~Seeded() {
    const std::lock_guard lock(generator_.mutex());
    generator_.set_state(before_);
  }

  Seeded(const Seeded&) = delete;
  Seeded& operator=(const Seeded&) = delete;

 private:
  at::Generator generator_;
  torch::Tensor before_;
};

template <typename Impl>
std::shared_ptr<Impl> build(const config::Model& config, const Sizes& sizes, uint64_t seed) {
  const Seeded seeded(seed);
  auto model = std::make_shared<Impl>(config, sizes);
  nn::number_dropout_sites(*model);
  return model;
}

}  // namespace

std::shared_ptr<EncoderDecoder> build_encoder_decoder(const config::Model& config,
                                                      const Sizes& sizes, uint64_t seed) {
  if (config.recurrent()) return build<RnnTranslatorImpl>(config, sizes, seed);
  return build<TransformerImpl>(config, sizes, seed);
}

std::shared_ptr<Classifier> build_classifier(const config::Model& config, const Sizes& sizes,
                                             uint64_t seed) {
  if (config.recurrent()) return build<RnnClassifierImpl>(config, sizes, seed);
  return build<EncoderClassifierImpl>(config, sizes, seed);
}

}  // namespace heed::model
