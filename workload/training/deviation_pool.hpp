// Deviations drawn once, read in runs that begin wherever a random word points.
//
// The pool holds the sum of two uniform numbers of 7 bits for every pair there is, less its mean and over its
// deviation, shuffled: mean 0 and deviation 1 are exact. A run that begins at a random place costs one random
// word, whatever its length. Neighbours in a run are as little correlated as a shuffle leaves them: by 1 /
// sqrt(size).
//
// Verified in tests/verification/work/random.cpp.
#pragma once

#include <cstddef>
#include <vector>

#include "core/numbers/random.hpp"

namespace wattloop::workload {

class DeviationPool {
 public:
  static constexpr unsigned bits = 14;
  static constexpr std::size_t size = std::size_t{1} << bits;
  static constexpr double largest = 2.4304273;  ///< magnitude: 127 / sqrt(2 (128^2 - 1) / 12), rounded up

  /// Runs of up to `run` numbers can be read, and up to `most_runs` of them one after the other.
  DeviationPool(RandomKey key, std::size_t run, std::size_t most_runs = 1);

  /// The run that begins at `place` < `size`, in standard deviations.
  const double* at(std::size_t place) const noexcept { return deviations_.data() + place; }

  /// Sums for runs one after the other: their sum, number by number, is what stands here at the end of the last less what
  /// stands here at the begin of the first.
  const double* sums_at(std::size_t place) const noexcept { return sums_.data() + place; }

 private:
  std::vector<double> deviations_;  // the first ones stand once more at the end
  std::vector<double> sums_;        // of all numbers a multiple of `run` before
};

}  // namespace wattloop::workload
