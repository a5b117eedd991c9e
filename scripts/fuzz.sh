#!/usr/bin/env bash
# What reads files and text, given inputs made to break it: libFuzzer with the address and
# undefined-behavior sanitizers, for as long as it is told to. Needs clang, which it installs.
#
#   scripts/fuzz.sh                    every target, 60 seconds each
#   SECONDS_EACH=600 scripts/fuzz.sh safetensors_header table
#
# Inputs that led somewhere new stay in build/fuzz/corpus; the one that broke a target is named.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/setup.sh clang libclang-rt-dev libomp-dev

cmake --preset fuzz >/dev/null
cmake --build --preset fuzz

targets=("$@")
if ((${#targets[@]} == 0)); then
  for file in tests/fuzz/*_fuzz.cpp; do targets+=("$(basename "$file" _fuzz.cpp)"); done
fi
for target in "${targets[@]}"; do
  corpus=build/fuzz/corpus/$target
  mkdir -p "$corpus" build/fuzz/found
  echo "fuzz: $target"
  "build/fuzz/${target}_fuzz" "$corpus" "tests/fuzz/seeds/$target" -artifact_prefix=build/fuzz/found/ \
    -max_total_time="${SECONDS_EACH:-60}" -max_len=4096 -timeout=10 -rss_limit_mb=2048 \
    -verbosity=0 -print_final_stats=1
done
