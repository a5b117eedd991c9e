#define CATCH_CONFIG_RUNNER  // read by Catch2 v2, ignored by v3
#include "support/catch.h"

#include <ATen/Parallel.h>

#include <cstdlib>
#include <iostream>

int main(int argc, char** argv) {
  at::set_num_threads(1);  // sums run in one order, so a failure repeats
  const int code = Catch::Session().run(argc, argv);
  std::cout.flush();
  std::_Exit(code);  // LibTorch's destructors take as long as many a test
}
