// The Jacobian of a plant's rates as a sparse matrix in compressed columns, with a pattern fixed at construction.
//
// Entries come from the components themselves: each is differenced alone, so that the cost does not grow with the size
// of the plant. Flows are eliminated by the chain rule. Left out: the electrical losses' dependence on unit temperatures
// (leakage), which is dense and weak; Newton's method converges without it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "twin/plant/equipment/plant.hpp"
#include "twin/plant/snapshot/evaluation.hpp"
#include "twin/units/jacobian_sink.hpp"

namespace wattloop::twin {

class Jacobian final : public JacobianSink {
 public:
  explicit Jacobian(const Plant& plant);

  /// Rows and columns of the listed states only, all others held; units are left out if none of their states is listed.
  /// The row of the feed's meter then holds the power of loads, so that without losses energy balances in every column.
  Jacobian(const Plant& plant, std::span<const std::size_t> slots);

  /// The same for states none of which is a unit's, with all units in steady state at their inlets (twin/units/settled_units.hpp): the
  /// Schur complement of their states in the Jacobian of all. `drives` as below.
  static Jacobian with_settled_units(const Plant& plant, std::span<const std::size_t> slots,
                                     DriveColumns drives = DriveColumns::each);

  /// Units held, and what many flows follow from through a number z of its own (twin/plant/equipment/flow_model.hpp): the mean speed of shared pumps,
  /// the pressure of a network. It has one more row and column, behind those of the states. In x' = J x + B z, z = C x a column stands for
  /// B and a row for C; B C, which is left out, would have an entry for each pump or valve and flow.
  static Jacobian with_drives(const Plant& plant, std::span<const std::size_t> slots);

  /// Fills the values at the signals of `evaluation` (as left by `evaluate`).
  void assemble(const Evaluation& evaluation);

  /// Values as they were once, instead of `assemble`.
  void recall(std::span<const double> values) { values_.assign(values.begin(), values.end()); }

  std::int64_t size() const { return static_cast<std::int64_t>(column_starts_.size()) - 1; }
  std::span<const std::int64_t> column_starts() const { return column_starts_; }  ///< [size + 1]
  std::span<const std::int64_t> rows() const { return rows_; }                    ///< [non-zeros], sorted in a column
  std::span<const double> values() const { return values_; }                      ///< [non-zeros], 1/s
  std::int64_t diagonal(std::int64_t column) const { return diagonal_[static_cast<std::size_t>(column)]; }

  void add(std::size_t sink, std::size_t signal, double derivative) override;

 private:
  enum class Units { included, settled, left_out };

  Jacobian(const Plant& plant, std::span<const std::size_t> slots, Units units,
           DriveColumns drives = DriveColumns::each);

  void fill_pattern();
  void add_load(std::size_t load, std::size_t signal, double derivative);
  void add_rate(std::size_t sink, std::size_t signal, double derivative);
  void emit(std::size_t row, std::size_t column, double value);
  void visit_components(const Evaluation& evaluation);
  void visit_drives();
  void build_pattern();

  static constexpr std::int64_t left_out = -1;

  const Plant& plant_;
  std::vector<std::int64_t> row_of_slot_;  ///< [state, then drive], or `left_out`
  Units units_ = Units::included;
  DriveColumns drives_ = DriveColumns::each;
  bool has_loads_ = false;                  ///< power of loads goes to the feed's meter
  const Evaluation* evaluation_ = nullptr;  ///< during a visit
  FlowDerivatives flow_derivatives_;
  bool is_counting_ = true;
  std::size_t next_entry_ = 0;
  std::vector<std::pair<std::int64_t, std::int64_t>>
      entries_;                         ///< (column, row) in the order of the calls; while counting
  std::vector<std::int64_t> position_;  ///< of each call's entry in values_, or `left_out`; while counting, in entries_
  std::vector<std::int64_t> column_starts_, rows_, diagonal_;
  std::vector<double> values_;
};

}  // namespace wattloop::twin
