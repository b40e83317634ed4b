// Eight numbers side by side: what loops over many alike are written with where compilers do not find it by themselves.
// Results are the same for any width of the processor's vectors.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

namespace wattloop {

inline constexpr std::size_t lane_count = 8;

/// Numbers in a vector of this processor. Compilers take vectors wider than that apart in memory, and choices between their lanes
/// number by number; so eight numbers are as many vectors as they need.
#if defined(__AVX512F__)
inline constexpr std::size_t piece_lanes = 8;
#elif defined(__AVX__)
inline constexpr std::size_t piece_lanes = 4;
#else
inline constexpr std::size_t piece_lanes = 2;
#endif

/// Eight numbers of 64 bits, with arithmetic and comparison lane by lane. A bare C array of them keeps its alignment; standard
/// containers lose it.
template <class Number>
struct Eight {
  static constexpr std::size_t piece_count = lane_count / piece_lanes;
  using Piece [[gnu::vector_size(piece_lanes * sizeof(Number))]] = Number;
  Piece piece[piece_count];

  [[gnu::always_inline]] Number operator[](std::size_t lane) const noexcept {
    return piece[lane / piece_lanes][lane % piece_lanes];
  }
  [[gnu::always_inline]] Number& operator[](std::size_t lane) noexcept {
    return reinterpret_cast<Number*>(piece)[lane];  // a vector may be looked at as its numbers
  }
};

using Lanes = Eight<double>;
using LaneNumbers = Eight<std::int64_t>;

/// Eight answers of a comparison: all bits set, or none.
using LaneMask = Eight<std::int64_t>;

template <class Number>
[[gnu::always_inline]] inline Eight<Number> same_eight(Number value) noexcept {
  Eight<Number> eight;
  for (auto& piece : eight.piece) piece = value - typename Eight<Number>::Piece{};
  return eight;
}
[[gnu::always_inline]] inline Lanes same_lanes(double value) noexcept { return same_eight(value); }

/// One vector after the other.
template <class Result, class Number, class Operation>
[[gnu::always_inline]] inline Result by_piece(const Eight<Number>& a, const Eight<Number>& b,
                                              const Operation& operation) noexcept {
  Result result;
#pragma GCC unroll 4
  for (std::size_t k = 0; k < Result::piece_count; ++k) result.piece[k] = operation(a.piece[k], b.piece[k]);
  return result;
}

#define WATTLOOP_LANES_OPERATOR(op, Result)                                                                           \
  template <class Number>                                                                                             \
  [[gnu::always_inline]] inline Result operator op(const Eight<Number>& a, const Eight<Number>& b) noexcept {         \
    return by_piece<Result>(                                                                                          \
        a, b, [](auto x, auto y) __attribute__((always_inline)) { return x op y; });                                  \
  }                                                                                                                   \
  template <class Number>                                                                                             \
  [[gnu::always_inline]] inline Result operator op(const Eight<Number>& a, std::type_identity_t<Number> b) noexcept { \
    return a op same_eight<Number>(b);                                                                                \
  }                                                                                                                   \
  template <class Number>                                                                                             \
  [[gnu::always_inline]] inline Result operator op(std::type_identity_t<Number> a, const Eight<Number>& b) noexcept { \
    return same_eight<Number>(a) op b;                                                                                \
  }
WATTLOOP_LANES_OPERATOR(+, Eight<Number>)
WATTLOOP_LANES_OPERATOR(-, Eight<Number>)
WATTLOOP_LANES_OPERATOR(*, Eight<Number>)
WATTLOOP_LANES_OPERATOR(/, Eight<Number>)
WATTLOOP_LANES_OPERATOR(<, LaneMask)
WATTLOOP_LANES_OPERATOR(>, LaneMask)
WATTLOOP_LANES_OPERATOR(>=, LaneMask)
#undef WATTLOOP_LANES_OPERATOR

template <class Number, class Other>
[[gnu::always_inline]] inline Eight<Number>& operator+=(Eight<Number>& a, const Other& b) noexcept {
  return a = a + b;
}
template <class Number, class Other>
[[gnu::always_inline]] inline Eight<Number>& operator-=(Eight<Number>& a, const Other& b) noexcept {
  return a = a - b;
}
template <class Number, class Other>
[[gnu::always_inline]] inline Eight<Number>& operator*=(Eight<Number>& a, const Other& b) noexcept {
  return a = a * b;
}

/// `yes` in lanes where the mask is set, `no` in others.
template <class Number>
[[gnu::always_inline]] inline Eight<Number> chosen(const LaneMask& mask, const Eight<Number>& yes,
                                                   const Eight<Number>& no) noexcept {
  Eight<Number> result;
#pragma GCC unroll 4
  for (std::size_t k = 0; k < result.piece_count; ++k) result.piece[k] = mask.piece[k] ? yes.piece[k] : no.piece[k];
  return result;
}
/// The same of one number, for what is written for one and for eight.
[[gnu::always_inline]] inline double chosen(bool is_yes, double yes, double no) noexcept { return is_yes ? yes : no; }

[[gnu::always_inline]] inline Lanes lanes_at(const double* from) noexcept {
  Lanes lanes;
#pragma GCC unroll 4
  for (std::size_t k = 0; k < Lanes::piece_count; ++k)
    std::memcpy(&lanes.piece[k], from + k * piece_lanes, sizeof lanes.piece[k]);
  return lanes;
}

[[gnu::always_inline]] inline void put_lanes(const Lanes& lanes, double* to) noexcept {
#pragma GCC unroll 4
  for (std::size_t k = 0; k < Lanes::piece_count; ++k)
    std::memcpy(to + k * piece_lanes, &lanes.piece[k], sizeof lanes.piece[k]);
}

[[gnu::always_inline]] inline Lanes larger(const Lanes& a, const Lanes& b) noexcept { return chosen(a > b, a, b); }
[[gnu::always_inline]] inline Lanes smaller(const Lanes& a, const Lanes& b) noexcept { return chosen(a < b, a, b); }

/// Lanes brought down to one number: halves onto each other by `join`, which takes two of them, wide or narrow.
template <class Number, class Join>
[[gnu::always_inline]] inline Number joined(const Eight<Number>& lanes, const Join& join) noexcept {
  const auto& p = lanes.piece;
  const auto two = [&]() __attribute__((always_inline)) {
    if constexpr (piece_lanes == 8) {
      const auto four =
          join(__builtin_shufflevector(p[0], p[0], 0, 1, 2, 3), __builtin_shufflevector(p[0], p[0], 4, 5, 6, 7));
      return join(__builtin_shufflevector(four, four, 0, 1), __builtin_shufflevector(four, four, 2, 3));
    } else if constexpr (piece_lanes == 4) {
      const auto four = join(p[0], p[1]);
      return join(__builtin_shufflevector(four, four, 0, 1), __builtin_shufflevector(four, four, 2, 3));
    } else {
      return join(join(p[0], p[2]), join(p[1], p[3]));
    }
  }
  ();
  return join(two[0], two[1]);
}

[[gnu::always_inline]] inline double sum_of(const Lanes& lanes) noexcept {
  return joined(lanes, [](auto a, auto b) { return a + b; });
}

[[gnu::always_inline]] inline double largest_of(const Lanes& lanes) noexcept {
  return joined(lanes, [](auto a, auto b) { return a > b ? a : b; });
}

[[gnu::always_inline]] inline double smallest_of(const Lanes& lanes) noexcept {
  return joined(lanes, [](auto a, auto b) { return a < b ? a : b; });
}

/// Sums of eight eights: lane k is `sum_of(eights[k])`, to the bit.
template <class Number>
[[gnu::always_inline]] inline Eight<Number> sums_of(const Eight<Number> (&eights)[lane_count]) noexcept {
  using Piece = typename Eight<Number>::Piece;
  Eight<Number> sums;
  if constexpr (piece_lanes == 8) {
    Piece fours[4], twos[2];  // halves onto each other, of two eights, then of four at once
    for (std::size_t k = 0; k < 4; ++k) {
      const Piece a = eights[2 * k].piece[0], b = eights[2 * k + 1].piece[0];
      fours[k] = __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11) +
                 __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15);
    }
    for (std::size_t k = 0; k < 2; ++k) {
      const Piece a = fours[2 * k], b = fours[2 * k + 1];
      twos[k] = __builtin_shufflevector(a, b, 0, 1, 4, 5, 8, 9, 12, 13) +
                __builtin_shufflevector(a, b, 2, 3, 6, 7, 10, 11, 14, 15);
    }
    const Piece a = twos[0], b = twos[1];
    sums.piece[0] = __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14) +
                    __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15);
  } else if constexpr (piece_lanes == 4) {
    Piece twos[4];
#pragma GCC unroll 4
    for (std::size_t k = 0; k < 4; ++k) {
      const Piece a = eights[2 * k].piece[0] + eights[2 * k].piece[1];
      const Piece b = eights[2 * k + 1].piece[0] + eights[2 * k + 1].piece[1];
      twos[k] = __builtin_shufflevector(a, b, 0, 1, 4, 5) + __builtin_shufflevector(a, b, 2, 3, 6, 7);
    }
#pragma GCC unroll 2
    for (std::size_t k = 0; k < 2; ++k) {
      const Piece a = twos[2 * k], b = twos[2 * k + 1];
      sums.piece[k] = __builtin_shufflevector(a, b, 0, 2, 4, 6) + __builtin_shufflevector(a, b, 1, 3, 5, 7);
    }
  } else {
    Piece ones[lane_count];
#pragma GCC unroll 8
    for (std::size_t k = 0; k < lane_count; ++k) {
      const auto& p = eights[k].piece;
      ones[k] = (p[0] + p[2]) + (p[1] + p[3]);
    }
#pragma GCC unroll 4
    for (std::size_t k = 0; k < 4; ++k) {
      const Piece a = ones[2 * k], b = ones[2 * k + 1];
      sums.piece[k] = __builtin_shufflevector(a, b, 0, 2) + __builtin_shufflevector(a, b, 1, 3);
    }
  }
  return sums;
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
[[gnu::always_inline]] inline Lanes filled_lanes(Count count) noexcept {
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
    sum += filled_lanes(count) * lanes;
  }
}

/// Largest of a column, which is not empty.
[[gnu::always_inline]] inline double largest_in(const double* column, std::size_t count) {
  Lanes largest = same_lanes(column[0]);
  std::size_t k = 0;
  for (; k + lane_count <= count; k += lane_count) largest = larger(largest, lanes_at(column + k));
  double largest_left = largest_of(largest);
  for (; k < count; ++k) largest_left = std::max(largest_left, column[k]);
  return largest_left;
}

}  // namespace wattloop
