#pragma once

#include <chrono>
#include <utility>

namespace heed::train {

/// Seconds of one step by what they were spent on. On a device that works apart these are the
/// host's, which waits only in `update`.
struct Phases {
  double data = 0.0;  // until the batch was there
  double forward = 0.0;
  double backward = 0.0;
  double update = 0.0;  // norm, clipping and optimizer

  double total() const { return data + forward + backward + update; }

  Phases& operator+=(const Phases& other) {
    data += other.data;
    forward += other.forward;
    backward += other.backward;
    update += other.update;
    return *this;
  }
};

/// Seconds since it was made, or last asked.
class Stopwatch {
 public:
  double lap() {
    const auto before = std::exchange(last_, Clock::now());
    return std::chrono::duration<double>(last_ - before).count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point last_ = Clock::now();
};

}  // namespace heed::train
