// Sparse LU factors (KLU, [davis2010]) of a square matrix in compressed columns whose pattern does not change.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

namespace wattloop::twin {

class SparseFactors {
 public:
  /// Both spans must outlive the object.
  SparseFactors(std::span<const std::int64_t> column_starts, std::span<const std::int64_t> rows);
  ~SparseFactors();

  /// Factors the matrix with these values; false if it is singular.
  bool factor(std::span<const double> values);

  /// The same for values not far from those of the last `factor`, with its pivots; chooses new ones where they have become
  /// too small.
  bool refactor(std::span<const double> values);

  /// Solves in place.
  void solve(std::span<double> right_hand_side);

 private:
  struct Klu;
  std::unique_ptr<Klu> klu_;
};

}  // namespace wattloop::twin
