#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace heed::pipeline {

/// Told how many more lines are done, from any thread.
using Progress = std::function<void(int64_t lines)>;

/// Calls work(0) .. work(count - 1), each once, in any order, on as many threads as workers (one
/// worker: on this one). Each has one thread inside operators: many small works beat many threads
/// inside small operators, by far on a busy machine, and no number depends on the workers. An
/// exception of a work comes out, after the others have stopped.
void run_works(int64_t count, int64_t workers, const std::function<void(int64_t)>& work);

/// The workers a machine is good for: one a thread on the CPU, one alone on another device.
int64_t default_workers(bool on_cpu);

/// Places 0 .. lengths.size() - 1, longest first, in batches of neighbors: at most `batch_size`
/// each, and enough batches for every worker. Places of length 0 are left out.
std::vector<std::vector<int64_t>> batches_by_length(const std::vector<int64_t>& lengths,
                                                    int64_t batch_size, int64_t workers);

}  // namespace heed::pipeline
