// What drawn runs say of all there might be: percentiles of a figure with intervals of order statistics, shares with those of the
// binomial distribution.
//
//   percentile p of n values   between the order statistics around (n - 1) p, number 7 of [hyndman1996]
//   its interval               from x_(l) to x_(u), so that a binomial count of n at p lies between them with the confidence
//   share k of n               [clopper1934]
//
// Both are those of independent draws; samples of a Latin hypercube spread more evenly, so that theirs are wide rather than narrow.
// Verified in tests/unit/confidence.cpp.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace wattloop::twin {

inline constexpr double confidence = 0.90;

struct Estimate {
  double value = 0.0;
  double low = 0.0, high = 0.0;  ///< of its interval; infinite where the draws are too few for an end of it
};

/// `values` rise and there is any.
Estimate percentile(std::span<const double> values, double share);

/// How likely it is what came `count` times of `of` draws, which are any.
Estimate share_of_draws(std::size_t count, std::size_t of);

/// From which number of draws on an interval of that percentile has two ends.
std::size_t draws_needed(double share);

}  // namespace wattloop::twin
