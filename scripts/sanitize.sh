#!/usr/bin/env bash
# The unit and property tests under the address and undefined-behavior sanitizers. LibTorch keeps
# memory at exit, so leaks are not looked for; its classes have other members without NDEBUG, so that
# is set. Arguments go to ctest.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/setup.sh
cmake --preset asan >/dev/null
cmake --build --preset asan
ASAN_OPTIONS=detect_leaks=0:detect_odr_violation=0:allocator_may_return_null=1 \
  UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 \
  OMP_NUM_THREADS=1 ctest --test-dir build/asan -j 2 --output-on-failure --no-tests=error \
  -L 'unit|property|golden' "$@"
