#!/usr/bin/env bash
# Sets everything up, builds, and passes all tests. Arguments go to ctest:
#   scripts/test.sh -L unit        tests of one kind: unit property golden train e2e cuda style
#   scripts/test.sh -R nn/mask     tests by name
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/setup.sh
cmake --preset release >/dev/null
cmake --build --preset release
# One thread a test: sums run in one order, and two tests at once use two cores.
OMP_NUM_THREADS=1 ctest --preset release --no-tests=error "$@"
