// The admittance matrix of a network, per unit, and its factors: one for flows and for fault levels.
//
//   I = Y V,   entries of all branches, open ones 0: what is switched changes values and no places
//
// The factors are those of real numbers, two for each bus: conj(V) in the loads makes the equations of a flow no complex ones.
//
//   | g -b |   e = Re V, f = Im V,  y = g + jb
//   | b  g |
//
// Source: [grainger1994] ch. 7, factors [davis2010]. Verified in tests/unit/electrical/admittance_matrix.cpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/numbers/sparse_factors.hpp"
#include "electrical/admittance/per_unit.hpp"

namespace wattloop::electrical {

/// In compressed columns; has an entry for each bus, and two for each pair of buses that a branch connects.
class AdmittanceMatrix {
 public:
  explicit AdmittanceMatrix(const AcNetwork& network);

  void clear();
  void add(std::size_t branch, const TwoPort& admittance);
  void add_shunt(std::size_t bus, Complex admittance) { values_[diagonal_[bus]] += admittance; }

  /// Currents [buses] of voltages [buses].
  void multiply(std::span<const Complex> voltage, std::span<Complex> current) const noexcept;

  std::size_t buses() const { return diagonal_.size(); }
  std::span<const std::size_t> column_starts() const { return column_starts_; }  ///< [buses + 1]
  std::span<const std::size_t> rows() const { return rows_; }                    ///< [entries]
  std::span<const Complex> values() const { return values_; }                    ///< [entries]
  std::size_t diagonal(std::size_t bus) const { return diagonal_[bus]; }         ///< entry
  std::size_t transposed(std::size_t entry) const { return transposed_[entry]; }

 private:
  std::size_t entry_of(std::size_t row, std::size_t column) const;

  std::vector<std::size_t> column_starts_, rows_, diagonal_, transposed_;
  std::vector<std::array<std::size_t, 2>> of_branch_;  ///< entries (from, to) and (to, from)
  std::vector<std::array<std::size_t, 2>> ends_;       ///< [branches]
  std::vector<Complex> values_;
};

/// Derivative of the current of a bus by e and f.
struct Block {
  double real_by_real, real_by_imaginary, imaginary_by_real, imaginary_by_imaginary;
};

class AdmittanceFactors {
 public:
  explicit AdmittanceFactors(const AdmittanceMatrix& matrix);

  /// The matrix as it is; `add` and `fix` change it after that.
  void take(const AdmittanceMatrix& matrix);
  void add(std::size_t bus, const Block& block);
  /// The equation of this bus says that its voltage is what stands on the right side.
  void fix(const AdmittanceMatrix& matrix, std::size_t bus);

  /// False if it is singular. `refactor` keeps the order and the pivots where they are good.
  bool factor() { return factors_.factor(values_); }
  bool refactor() { return factors_.refactor(values_); }

  /// In place, [buses].
  void solve(std::span<Complex> right_hand_side);

 private:
  void set(std::size_t entry, const Block& block);

  std::vector<std::int64_t> column_starts_, rows_;
  std::vector<double> values_;
  std::vector<std::array<std::size_t, 2>> places_;  ///< [entries], where its two columns begin
  std::vector<std::size_t> diagonal_;
  SparseFactors factors_;
};

}  // namespace wattloop::electrical
