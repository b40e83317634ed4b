// Eight numbers side by side: what loops over many alike are written with where compilers do not find it by themselves.
// Results are the same for any width of the processor's vectors.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>

namespace wattloop {

inline constexpr std::size_t lane_count = 8;

/// Arithmetic and comparison lane by lane. A bare C array of them keeps its alignment; standard containers lose it.
using Lanes [[gnu::vector_size(lane_count * sizeof(double))]] = double;

[[gnu::always_inline]] inline Lanes lanes_at(const double* from) noexcept {
  Lanes lanes;
  std::memcpy(&lanes, from, sizeof lanes);
  return lanes;
}

[[gnu::always_inline]] inline void put_lanes(Lanes lanes, double* to) noexcept { std::memcpy(to, &lanes, sizeof lanes); }

[[gnu::always_inline]] inline Lanes same_lanes(double value) noexcept { return value - Lanes{}; }

[[gnu::always_inline]] inline Lanes larger(Lanes a, Lanes b) noexcept { return a > b ? a : b; }
[[gnu::always_inline]] inline Lanes smaller(Lanes a, Lanes b) noexcept { return a < b ? a : b; }

/// Sum over lanes: halves onto each other.
[[gnu::always_inline]] inline double sum_of(Lanes lanes) noexcept {
  for (std::size_t half = lane_count / 2; half > 0; half /= 2) {
    for (std::size_t lane = 0; lane < half; ++lane) lanes[lane] += lanes[lane + half];
  }
  return lanes[0];
}

[[gnu::always_inline]] inline double largest_of(Lanes lanes) noexcept {
  double largest = lanes[0];
  for (std::size_t lane = 1; lane < lane_count; ++lane) largest = lanes[lane] > largest ? lanes[lane] : largest;
  return largest;
}

[[gnu::always_inline]] inline double smallest_of(Lanes lanes) noexcept {
  double smallest = lanes[0];
  for (std::size_t lane = 1; lane < lane_count; ++lane) smallest = lanes[lane] < smallest ? lanes[lane] : smallest;
  return smallest;
}

/// Calls `add(i, sum)` for all of `count` numbers: with Lanes, to which it adds those from `i` on, as long as there are
/// eight, then with a double for each of the last ones. Returns the sum of all.
template <class Add>
double sum_by_lanes(std::size_t count, const Add& add) {
  Lanes eights{};
  double single = 0.0;
  std::size_t i = 0;
  for (; i + lane_count <= count; i += lane_count) add(i, eights);
  for (; i < count; ++i) add(i, single);
  return sum_of(eights) + single;
}

/// Sum of a column, eight partial sums at once.
inline double sum_of(std::span<const double> column) noexcept {
  Lanes partial{};
  std::size_t k = 0;
  for (; k + lane_count <= column.size(); k += lane_count) partial += lanes_at(column.data() + k);
  double sum = sum_of(partial);
  for (; k < column.size(); ++k) sum += column[k];
  return sum;
}

}  // namespace wattloop
