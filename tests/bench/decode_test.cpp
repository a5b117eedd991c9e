#include "bench/decode.h"

#include "base/error.h"
#include "support/catch.h"

namespace config = heed::config;

namespace {

config::Run small_model() {
  config::Run run;
  run.model.d_model = 16;
  run.model.d_ff = 32;
  run.model.heads = 2;
  run.model.enc_layers = 1;
  run.model.dec_layers = 1;
  run.tokenizer.vocab_size = 50;
  run.decode.batch_size = 3;
  return run;
}

}  // namespace

TEST_CASE("decoding is timed with beam and with greedy search", "[bench][decode][unit]") {
  for (const int64_t beam_size : {1, 3}) {
    auto run = small_model();
    run.decode.beam_size = beam_size;
    const auto report =
        heed::bench::bench_decode(run, {.length = 4, .sentences = 7, .rounds = 2}, torch::kCPU);
    CHECK(report.tokens_per_second > 0);
    CHECK(report.latency_ms > 0);
    CHECK(report.peak_memory_mb > 1);
    CHECK(report.encode_seconds > 0);
    CHECK(report.search_seconds > 0);
    // every sentence is written to the forced length: 2 rounds of 7 sentences of 4 tokens
    const auto tokens = 2 * 7 * 4;
    CHECK(report.tokens_per_second > 0.3 * tokens / report.seconds);
    CHECK(report.tokens_per_second < 3.0 * tokens / report.seconds);
  }
}

TEST_CASE("a classifier writes nothing that could be timed", "[bench][decode][unit]") {
  auto run = small_model();
  run.task = "classify";
  CHECK_THROWS_AS(heed::bench::bench_decode(run, {}, torch::kCPU), heed::ConfigError);
}
