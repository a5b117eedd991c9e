#pragma once

#include <CLI/CLI.hpp>

namespace heed::cli {

/// heed bench attention
void add_bench_attention(CLI::App& bench);

}  // namespace heed::cli
