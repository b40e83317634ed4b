// Flow in any network by Newton's method, in currents and rectangular coordinates, on sparse factors with a kept order.
//
//   F(V) = Y V + I_load(V) - I_source = 0,    V <- V - a (dF/dV)^-1 F
//
// with Y of branches and impedances of sources; F is added up branch by branch from differences of voltages. Steps are halved until the next one with
// the same factors is shorter [deuflhard2011]: F itself is no measure, since a branch of nearly no impedance rounds its current. Where none is shorter,
// the loads are beyond what the network can carry, and the bus with the lowest voltage is where it collapses. Factors are used again while each step
// is much shorter than the one before. Source: [garcia2000], factors [davis2010]. Verified in tests/verification/power/ac_flow.cpp and tests/properties/ac_flow.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "electrical/admittance/admittance_matrix.hpp"
#include "electrical/flow/ac_flow.hpp"

namespace wattloop::electrical {

class MeshedFlow {
 public:
  /// The network must outlive the object and keep its buses, branches, loads and sources. Throws std::invalid_argument for
  /// what mistakes_in() finds, and for branches without impedance.
  explicit MeshedFlow(const AcNetwork& network);

  /// Takes over what is closed, live and tapped, and starts flat.
  void take_switches();

  /// Voltages as if nothing was loaded, so that what follows depends on nothing that was solved before.
  void start_flat();

  /// Starts from these voltages [buses]; buses that are dead or have the voltage of a source keep theirs.
  void start_from(std::span<const Complex> voltage);

  /// Of the last solution, per unit: [buses], and [branches] from `from` to `to` behind the ratio.
  std::span<const Complex> voltage() const { return voltage_; }
  std::span<const Complex> series_current() const { return series_current_; }

  /// Solves for loads [loads] at nominal voltage; starts from the voltages of the last solution.
  FlowEnd solve(std::span<const Complex> load_va, AcFlow& flow);

 private:
  enum class Step { none, slow, fast, last };

  void residual(std::span<const Complex> voltage, std::vector<Complex>& mismatch) const;
  void correction(std::span<const Complex> voltage, std::vector<Complex>& change);
  bool factor_at(std::span<const Complex> voltage, bool is_first);
  Step step();
  void fill_series_currents();

  const AcNetwork& network_;
  AdmittanceMatrix admittance_;
  AdmittanceFactors factors_;
  std::vector<Complex> source_current_, source_shunt_;   ///< [buses], of sources behind an impedance
  std::vector<Complex> series_admittance_, half_shunt_;  ///< [branches]
  std::vector<Complex> flat_;                            ///< [buses]
  std::vector<std::uint8_t> is_live_;                    ///< [buses]
  std::vector<std::uint8_t> is_fixed_;                   ///< [buses], dead, or with the voltage of a source
  std::vector<BusLoad> load_;                            ///< [buses]
  std::vector<Complex> voltage_, tried_;                 ///< [buses]
  std::vector<Complex> step_, next_;                     ///< [buses], to subtract
  std::vector<Complex> series_current_;                  ///< [branches]
};

}  // namespace wattloop::electrical
