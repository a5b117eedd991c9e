#include "bench/phases.h"

#include <thread>

#include "support/catch.h"

namespace bench = heed::bench;

namespace {

struct OneWeight final : torch::nn::Module {
  OneWeight() { weight = register_parameter("weight", torch::ones({4})); }
  torch::Tensor weight;
};

void pass_milliseconds(int count) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(count);
  while (std::chrono::steady_clock::now() < end) std::this_thread::yield();
}

/// A forward pass that takes 20 ms.
class SlowForward final : public heed::train::Objective {
 public:
  torch::nn::Module& module() override { return *module_; }
  int64_t predictions(const heed::data::Batch&) const override { return 1; }
  int64_t tokens(const heed::data::Batch&) const override { return 1; }
  heed::train::LossSums forward(const heed::data::Batch&, const heed::nn::Noise*) override {
    pass_milliseconds(20);
    return {.loss = module_->weight.sum(), .nll = {}, .correct = {}};
  }

 private:
  std::shared_ptr<OneWeight> module_ = std::make_shared<OneWeight>();
};

}  // namespace

TEST_CASE("time goes to the phase that took it", "[bench][phases][unit]") {
  SlowForward slow;
  bench::TimedObjective timed(slow);
  timed.begin_step();
  pass_milliseconds(10);
  timed.batch_is_there();
  for (int i = 0; i < 2; ++i) timed.forward({}, nullptr).loss.backward();
  pass_milliseconds(30);
  const auto phases = timed.end_step();
  CHECK(phases.data >= 0.010);
  CHECK(phases.forward >= 0.040);
  CHECK(phases.update >= 0.030);
  CHECK(phases.backward > 0);
  CHECK(phases.backward < phases.forward);
}
