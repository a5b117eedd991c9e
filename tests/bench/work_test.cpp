#include "bench/work.h"

#include "support/catch.h"

namespace config = heed::config;

TEST_CASE("the weights of a translator are counted as the peers count theirs",
          "[bench][work][unit]") {
  config::Run run;
  run.model.d_model = 128;
  run.model.d_ff = 256;
  run.model.heads = 4;
  run.model.enc_layers = 4;
  run.model.dec_layers = 4;
  const int64_t d = 128;
  const int64_t f = 256;
  const auto expected = 4 * (4 * d * d + 2 * d * f) + 4 * (8 * d * d + 2 * d * f) + 8000 * d;
  CHECK(heed::bench::multiplied_weights(run, 8000 * d) == expected);
}

TEST_CASE("a classifier has no decoder, and shared key heads are fewer weights",
          "[bench][work][unit]") {
  config::Run run;
  run.task = "classify";
  run.model.d_model = 16;
  run.model.d_ff = 32;
  run.model.heads = 4;
  run.model.kv_heads = 1;
  run.model.enc_layers = 2;
  const int64_t attention = 2 * 16 * 16 + 2 * 16 * 4;
  CHECK(heed::bench::multiplied_weights(run, 3 * 16) == 2 * (attention + 2 * 16 * 32) + 3 * 16);
}
