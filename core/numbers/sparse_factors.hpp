// Sparse LU factors (KLU, [davis2010]) of a square matrix in compressed columns whose pattern does not change. Entries that are
// zero now, as those for flows that would run backwards, are left out while they are: with them nearly everything depends on
// everything, without them most of a plant is one thing after another.
//
// Factors of several matrices with the same zeros are kept side by side, and share the order that follows from them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace wattloop {

class SparseFactors {
 public:
  /// Both spans must outlive the object. `count`: of matrices whose factors are kept.
  SparseFactors(std::span<const std::int64_t> column_starts, std::span<const std::int64_t> rows, std::size_t count = 1);
  ~SparseFactors();

  /// Factors the matrix with these values; false if it is singular. What follows depends on nothing that was factored before. Where
  /// it has other zeros, all factors that were kept go.
  bool factor(std::span<const double> values, std::size_t number = 0);

  /// The same for values not far from those of the last `factor`, with its pivots; factors anew where they have become too small
  /// or where an entry that was zero is not.
  bool refactor(std::span<const double> values, std::size_t number = 0);

  bool has(std::size_t number) const;

  /// Solves in place, with factors that are there.
  void solve(std::span<double> right_hand_side, std::size_t number = 0);

 private:
  struct Klu;
  std::unique_ptr<Klu> klu_;
};

}  // namespace wattloop
