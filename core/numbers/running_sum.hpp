// Adding to places of an array one after the other. Where the same place comes again and again, its sum stays in a register: what
// waits for memory takes three times as long. The order of additions is that of a plain loop, so that results are the same bytes.
// Tested in tests/unit/core/running_sum.cpp.
#pragma once

#include <cstddef>
#include <limits>
#include <span>

namespace wattloop {

class RunningSum {
 public:
  explicit RunningSum(std::span<double> to) noexcept : to_(to) {}
  RunningSum(const RunningSum&) = delete;
  RunningSum& operator=(const RunningSum&) = delete;
  ~RunningSum() { put_down(); }

  void add(std::size_t place, double number) noexcept {
    if (place != place_) {
      put_down();
      place_ = place;
      sum_ = to_[place];
    }
    sum_ += number;
  }

  /// The same where others add to the same array: `other` puts down what it has of that place.
  void add(std::size_t place, double number, RunningSum& other) noexcept {
    if (place != place_ && place == other.place_) other.put_down();
    add(place, number);
  }

 private:
  static constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

  void put_down() noexcept {
    if (place_ != nowhere) to_[place_] = sum_;
    place_ = nowhere;
  }

  std::span<double> to_;
  std::size_t place_ = nowhere;
  double sum_ = 0.0;
};

}  // namespace wattloop
