#pragma once

namespace heed::bench {

/// The most memory this process has held so far, in MiB (resident, of the host).
double peak_memory_mb();

}  // namespace heed::bench
