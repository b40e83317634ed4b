// Deviations drawn once, read in runs that begin wherever a random word points.
//
// The pool holds the sum of two uniform numbers of 7 bits for every pair there is, less its mean and over its
// deviation, shuffled: mean 0 and deviation 1 are exact. A run that begins at a random place costs one random word,
// whatever its length. Neighbours in a run are as little correlated as a shuffle leaves them: by 1 / sqrt(size).
//
// Verified in tests/verification/random.cpp.
#pragma once

#include <cstddef>
#include <vector>

#include "core/random.hpp"

namespace wattloop::workload {

class DeviationPool {
 public:
  static constexpr unsigned bits = 14;
  static constexpr std::size_t size = std::size_t{1} << bits;
  static constexpr double largest = 2.4304273;  ///< magnitude: 127 / sqrt(2 (128^2 - 1) / 12), rounded up

  /// Runs of up to `longest_run` can be read.
  DeviationPool(RandomKey key, std::size_t longest_run);

  /// The run that begins at `place` < `size`, in standard deviations.
  const double* at(std::size_t place) const noexcept { return deviations_.data() + place; }

 private:
  std::vector<double> deviations_;  // the first `longest_run` stand once more at the end
};

}  // namespace wattloop::workload
