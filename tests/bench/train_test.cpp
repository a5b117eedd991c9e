#include "bench/train.h"

#include "model/build.h"
#include "support/catch.h"

namespace bench = heed::bench;
namespace config = heed::config;
namespace data = heed::data;

namespace {

/// Two batches an epoch.
class FewBatches final : public heed::train::BatchSource {
 public:
  int64_t batches(int64_t) override { return 2; }

  data::Batch batch(int64_t epoch, int64_t index) override {
    REQUIRE(index < 2);
    epochs = std::max(epochs, epoch + 1);
    const std::vector<data::Example> examples = {
        {.source = {5, 6, 7}, .target = {6, 7}, .index = 0},
        {.source = {8}, .target = {9, 5, 5, 6}, .index = 1},
    };
    return data::collate({&examples[0], &examples[1]});
  }

  int64_t epochs = 0;
};

config::Run short_training() {
  config::Run run;
  run.model.d_model = 16;
  run.model.d_ff = 32;
  run.model.heads = 2;
  run.model.enc_layers = 1;
  run.model.dec_layers = 1;
  run.train.max_steps = 100;
  return run;
}

}  // namespace

TEST_CASE("a training is timed step by step, phases and all", "[bench][train][train]") {
  auto run = short_training();
  run.train.accumulate = GENERATE(1, 2);
  auto model = heed::model::build_encoder_decoder(
      run.model, {.source_pieces = 12, .target_pieces = 12, .max_len = 8}, 1);
  heed::train::TranslationObjective objective(model, run.train);
  FewBatches source;
  const auto before = model->output_weight().detach().clone();
  const auto report =
      bench::bench_train(objective, source, run, 12 * 16, torch::kCPU, {.warm_up = 1, .steps = 5});

  CHECK(source.epochs == 3);  // six steps of two an epoch
  CHECK_FALSE(torch::equal(before, model->output_weight()));
  CHECK(report.slowest <= report.tokens_per_second);
  CHECK(report.tokens_per_second <= report.fastest);
  // 3 + 5 target tokens a step, EOS counted
  CHECK(std::abs(report.tokens_per_second * report.latency_ms / 1000 - 8) < 1e-6);
  CHECK(report.phases.data > 0);
  CHECK(report.phases.forward > 0);
  CHECK(report.phases.backward > 0);
  CHECK(report.phases.update > 0);
  CHECK(report.seconds > 0);
  CHECK(report.gflops > 0);
  CHECK(report.loss > 0);
  CHECK(report.peak_memory_mb > 1);
}
