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

TEST_CASE("depths of their own, a gate and a missing output projection are counted",
          "[bench][work][unit]") {
  config::Run run;
  run.task = "classify";
  run.model.d_model = 16;
  run.model.d_ff = 32;
  run.model.heads = 2;
  run.model.head_dim = 6;
  run.model.enc_layers = 1;
  run.model.activation = "swiglu";
  run.model.attention.value_dim = 8;
  run.model.attention.out_proj = false;
  const int64_t attention = 16 * (2 * 6 + 2 * 6 + 2 * 8);
  CHECK(heed::bench::multiplied_weights(run, 0) == attention + 3 * 16 * 32);
}

TEST_CASE("a recurrent model multiplies by gates, projections and readout", "[bench][work][unit]") {
  config::Run run;
  run.model.type = "rnn";
  run.model.d_model = 16;
  run.model.enc_layers = 2;
  run.model.dec_layers = 1;
  const int64_t square = 16 * 16;
  const int64_t encoder = 2 * 3 * (square + square / 2);
  CHECK(heed::bench::multiplied_weights(run, 7) == encoder + 3 * 2 * square + 4 * square + 7);
  run.model.rnn.cell = "lstm";
  run.model.rnn.bidirectional = false;
  run.model.rnn.attention = "dot";
  run.model.rnn.input_feeding = true;
  CHECK(heed::bench::multiplied_weights(run, 0) ==
        2 * 4 * 2 * square + 4 * 2 * square + 2 * square + 4 * square);
  run.task = "classify";
  CHECK(heed::bench::multiplied_weights(run, 0) == 2 * 4 * 2 * square + square);
}
