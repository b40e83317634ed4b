// Eight numbers side by side: what loops over many alike are written with where compilers do not find it by themselves.
// Results are the same for any width of the processor's vectors.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>

namespace wattloop {

inline constexpr std::size_t lane_count = 8;

/// Arithmetic and comparison lane by lane. A bare C array of them keeps its alignment; standard containers lose it.
using Lanes [[gnu::vector_size(lane_count * sizeof(double))]] = double;

[[gnu::always_inline]] inline Lanes lanes_at(const double* from) noexcept {
  Lanes lanes;
  std::memcpy(&lanes, from, sizeof lanes);
  return lanes;
}

[[gnu::always_inline]] inline void put_lanes(Lanes lanes, double* to) noexcept {
  std::memcpy(to, &lanes, sizeof lanes);
}

[[gnu::always_inline]] inline Lanes same_lanes(double value) noexcept { return value - Lanes{}; }

[[gnu::always_inline]] inline Lanes larger(Lanes a, Lanes b) noexcept { return a > b ? a : b; }
[[gnu::always_inline]] inline Lanes smaller(Lanes a, Lanes b) noexcept { return a < b ? a : b; }

/// Lanes brought down to one number: halves onto each other by `join`, which takes two of them, wide or narrow.
template <class Join>
[[gnu::always_inline]] inline double joined(Lanes lanes, const Join& join) noexcept {
  const auto four =
      join(__builtin_shufflevector(lanes, lanes, 0, 1, 2, 3), __builtin_shufflevector(lanes, lanes, 4, 5, 6, 7));
  const auto two = join(__builtin_shufflevector(four, four, 0, 1), __builtin_shufflevector(four, four, 2, 3));
  return join(two[0], two[1]);
}

[[gnu::always_inline]] inline double sum_of(Lanes lanes) noexcept {
  return joined(lanes, [](auto a, auto b) { return a + b; });
}

[[gnu::always_inline]] inline double largest_of(Lanes lanes) noexcept {
  return joined(lanes, [](auto a, auto b) { return a > b ? a : b; });
}

[[gnu::always_inline]] inline double smallest_of(Lanes lanes) noexcept {
  return joined(lanes, [](auto a, auto b) { return a < b ? a : b; });
}

/// Sums of eight eights: lane k is `sum_of(eights[k])`, to the bit.
[[gnu::always_inline]] inline Lanes sums_of(const Lanes (&eights)[lane_count]) noexcept {
  Lanes fours[4], twos[2];  // halves onto each other, of two eights, then of four at once
  for (std::size_t k = 0; k < 4; ++k) {
    const Lanes a = eights[2 * k], b = eights[2 * k + 1];
    fours[k] = __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11) +
               __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15);
  }
  for (std::size_t k = 0; k < 2; ++k) {
    const Lanes a = fours[2 * k], b = fours[2 * k + 1];
    twos[k] = __builtin_shufflevector(a, b, 0, 1, 4, 5, 8, 9, 12, 13) +
              __builtin_shufflevector(a, b, 2, 3, 6, 7, 10, 11, 14, 15);
  }
  const Lanes a = twos[0], b = twos[1];
  return __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14) +
         __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15);
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

/// Calls `visit(first, count)` for `total` numbers, eight at a time; `count` is a constant but for those left over at the end.
template <class Visit>
[[gnu::always_inline]] inline void visit_by_lanes(std::size_t total, const Visit& visit) {
  std::size_t first = 0;
  for (; first + lane_count <= total; first += lane_count)
    visit(first, std::integral_constant<std::size_t, lane_count>{});
  if (first < total) visit(first, total - first);
}

/// `count` of a column, from `from` on; lanes without one repeat the last.
template <class Count>
[[gnu::always_inline]] inline Lanes read_lanes(const double* from, Count count) noexcept {
  if constexpr (!std::is_integral_v<Count>) {
    return lanes_at(from);
  } else {
    double repeated[lane_count];
    for (std::size_t lane = 0; lane < lane_count; ++lane) repeated[lane] = from[std::min(lane, count - 1)];
    return lanes_at(repeated);
  }
}

template <class Count>
[[gnu::always_inline]] inline void write_lanes(Lanes lanes, double* to, Count count) noexcept {
  if constexpr (!std::is_integral_v<Count>) {
    put_lanes(lanes, to);
  } else {
    double all[lane_count];
    put_lanes(lanes, all);
    for (std::size_t lane = 0; lane < count; ++lane) to[lane] = all[lane];
  }
}

/// 1 in those lanes that hold a number, 0 in others.
template <class Count>
[[gnu::always_inline]] inline Lanes held_lanes(Count count) noexcept {
  double held[lane_count];
  for (std::size_t lane = 0; lane < lane_count; ++lane) held[lane] = lane < count ? 1.0 : 0.0;
  return lanes_at(held);
}

/// Adds those lanes that hold a number.
template <class Count>
[[gnu::always_inline]] inline void add_lanes(Lanes lanes, Lanes& sum, Count count) noexcept {
  if constexpr (!std::is_integral_v<Count>) {
    sum += lanes;
  } else {
    sum += held_lanes(count) * lanes;
  }
}

}  // namespace wattloop
