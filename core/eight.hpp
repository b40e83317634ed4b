// Eight numbers computed together: in one register where the processor has registers that wide, else in as many as it
// takes. For inner loops in which g++ does not find out by itself that neighbours are computed alike.
#pragma once

#include <cstddef>

namespace wattloop {

using Eight [[gnu::vector_size(8 * sizeof(double))]] = double;

/// Even and odd ones apart, so that additions wait less for one another.
inline double sum(const Eight& values) {
  using Pair [[gnu::vector_size(2 * sizeof(double))]] = double;
  const Pair pair = __builtin_shufflevector(values, values, 0, 1) + __builtin_shufflevector(values, values, 2, 3) +
                    __builtin_shufflevector(values, values, 4, 5) + __builtin_shufflevector(values, values, 6, 7);
  return pair[0] + pair[1];
}

/// Calls `add(i, sum)` for all of `count` numbers: with an Eight, to which it adds those from `i` on, as long as there are
/// eight, then with a double for each of the last ones. Returns the sum of all.
template <class Add>
double sum_by_eight(std::size_t count, const Add& add) {
  Eight eights{};
  double single = 0.0;
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8) add(i, eights);
  for (; i < count; ++i) add(i, single);
  return sum(eights) + single;
}

}  // namespace wattloop
