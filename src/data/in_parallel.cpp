#include "data/in_parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace heed::data {
namespace {

constexpr int64_t kPiece = 512;  // lines, about a millisecond's work

}  // namespace

void in_parallel(int64_t begin, int64_t end, int64_t threads,
                 const std::function<void(int64_t, int64_t)>& work,
                 const std::function<bool()>& stop) {
  std::atomic<int64_t> next = begin;
  std::mutex failing;
  std::exception_ptr fault;
  const auto serve = [&] {
    try {
      for (auto from = next.fetch_add(kPiece); from < end; from = next.fetch_add(kPiece)) {
        if (stop && stop()) return;
        work(from, std::min(from + kPiece, end));
      }
    } catch (...) {
      next = end;
      const std::scoped_lock lock(failing);
      if (!fault) fault = std::current_exception();
    }
  };
  {
    const auto pieces = (end - begin + kPiece - 1) / kPiece;
    std::vector<std::jthread> others;
    for (int64_t i = 1; i < std::min(threads, pieces); ++i) others.emplace_back(serve);
    serve();
  }
  if (fault) std::rethrow_exception(fault);
}

}  // namespace heed::data
