#include "pipeline/workers.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

#include "base/torch.h"

namespace heed::pipeline {
namespace {

/// One thread inside operators while it lives. LibTorch keeps that number for each thread, and once
/// more for threads to come: what workers say changes the second, so it is put back, too.
class OneThreadEach {
 public:
  OneThreadEach() : before_(at::get_num_threads()) { at::set_num_threads(1); }
  ~OneThreadEach() { at::set_num_threads(before_); }
  OneThreadEach(const OneThreadEach&) = delete;
  OneThreadEach& operator=(const OneThreadEach&) = delete;

 private:
  int before_;
};

}  // namespace

void run_works(int64_t count, int64_t workers, const std::function<void(int64_t)>& work) {
  const OneThreadEach one_each;
  if (workers <= 1) {
    for (int64_t i = 0; i < count; ++i) work(i);
    return;
  }

  std::atomic<int64_t> next = 0;
  std::mutex failing;
  std::exception_ptr failure;
  const auto serve = [&] {
    at::set_num_threads(1);
    try {
      for (auto i = next++; i < count; i = next++) work(i);
    } catch (...) {
      next = count;
      const std::scoped_lock lock(failing);
      if (!failure) failure = std::current_exception();
    }
  };

  {
    std::vector<std::jthread> threads;
    for (int64_t i = 0; i < std::min(workers, count); ++i) threads.emplace_back(serve);
  }
  if (failure) std::rethrow_exception(failure);
}

int64_t default_workers(bool on_cpu) { return on_cpu ? at::get_num_threads() : 1; }

std::vector<std::vector<int64_t>> batches_by_length(const std::vector<int64_t>& lengths,
                                                    int64_t batch_size, int64_t workers) {
  std::vector<int64_t> places;
  for (int64_t i = 0; i < std::ssize(lengths); ++i) {
    if (lengths[i] > 0) places.push_back(i);
  }
  std::ranges::stable_sort(places, std::greater{}, [&](int64_t place) { return lengths[place]; });

  const auto count = std::ssize(places);
  const auto share = (count + workers - 1) / std::max<int64_t>(workers, 1);
  const auto size = std::clamp<int64_t>(share, 1, batch_size);
  std::vector<std::vector<int64_t>> batches;
  for (int64_t start = 0; start < count; start += size) {
    const auto end = std::min(start + size, count);
    batches.emplace_back(places.begin() + start, places.begin() + end);
  }
  return batches;
}

}  // namespace heed::pipeline
