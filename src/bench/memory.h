#pragma once

namespace heed::bench {

/// The most memory this process has held so far, in MiB (resident, of the host).
double peak_memory_mb();

/// What it holds now, likewise.
double held_memory_mb();

/// Forgets the peak so far, for peak_since_reset_mb(). Where the system refuses, the peak stays
/// that of the whole process.
void reset_peak_memory();
double peak_since_reset_mb();

}  // namespace heed::bench
