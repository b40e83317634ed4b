#include "workload/training/deviation_pool.hpp"

#include <cmath>
#include <utility>

namespace wattloop::workload {

DeviationPool::DeviationPool(RandomKey key, std::size_t run, std::size_t most_runs) {
  constexpr int levels = 1 << (bits / 2);
  const double deviation = std::sqrt((levels * levels - 1.0) / 6.0);  // of two numbers from 0 to levels - 1
  const std::size_t more = run * (most_runs + 1);
  deviations_.reserve(size + more);
  for (int first = 0; first < levels; ++first) {
    for (int second = 0; second < levels; ++second) {
      deviations_.push_back((first + second - (levels - 1)) / deviation);
    }
  }
  for (std::uint32_t left = size; left > 1; --left) {
    const auto other = static_cast<std::size_t>(uniform(philox({left, 0, 0, 0}, key)[0]) * left);
    std::swap(deviations_[left - 1], deviations_[other]);
  }
  for (std::size_t i = 0; i < more; ++i) deviations_.push_back(deviations_[i % size]);
  sums_.assign(deviations_.size(), 0.0);
  for (std::size_t i = run; i < sums_.size(); ++i) sums_[i] = sums_[i - run] + deviations_[i - run];
}

}  // namespace wattloop::workload
