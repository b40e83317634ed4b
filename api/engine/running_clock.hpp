// Real time that a hall took.
#pragma once

#include <chrono>

namespace wattloop::engine {

/// Adds the real time of its life to a sum.
class RunningClock {
 public:
  explicit RunningClock(double& sum_s) : sum_s_(sum_s) {}
  RunningClock(const RunningClock&) = delete;
  RunningClock& operator=(const RunningClock&) = delete;
  ~RunningClock() { sum_s_ += now_s(); }
  double now_s() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  double& sum_s_;
  Clock::time_point begin_ = Clock::now();
};

}  // namespace wattloop::engine
