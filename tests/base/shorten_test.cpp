#include "base/shorten.h"

#include "support/catch.h"

TEST_CASE("a text that is too wide loses its end or its middle", "[base][shorten][unit]") {
  CHECK(heed::shortened("für", 3) == "für");
  CHECK(heed::shortened("fünf", 3) == "fü…");
  CHECK(heed::shortened_in_middle("train.en", 8) == "train.en");
  CHECK(heed::shortened_in_middle("training_data.en", 9) == "trai…a.en");
  CHECK(heed::shortened_in_middle("training_data.en", 1) == "…");
  CHECK(heed::width_of("天气…") == 3);
}
