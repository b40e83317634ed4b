// Sparse LU factors (KLU, [davis2010]) of a square matrix in compressed columns, with scaled rows. Its pattern does not change. Pivots stay
// until the condition of the matrix shows that they have become too small.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

namespace wattloop {

/// A matrix of as many rows as columns, in compressed columns.
struct SparseColumns {
  std::span<const std::int64_t> starts, rows;
  std::span<const double> values;
};

class ConditionedFactors {
 public:
  /// Order of elimination: KLU's approximate minimum degree of the columns, or of the sum of the matrix and its transpose.
  enum class Order { columns, symmetric };
  enum class Outcome { good, not_now, never };  ///< `not_now`: another matrix of the same pattern may have factors

  explicit ConditionedFactors(Order order);
  ~ConditionedFactors();

  /// The next matrix is factored as the first.
  void forget();
  Outcome factor(const SparseColumns& matrix);

  /// In place; false if it fails.
  bool solve(std::span<double> right_hand_side);

 private:
  struct Klu;
  std::unique_ptr<Klu> klu_;
};

}  // namespace wattloop
