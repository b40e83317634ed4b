// The result of a flow: voltages, powers, currents and losses everywhere, in SI units, and how its computation ended.
//
//   S = V conj(I),   |I| = |S| / (sqrt(3) |V|)
//
// Power is positive into a branch at both of its ends, into a load, and out of a source: what the two ends of a branch draw is its loss.
// Source: [grainger1994] ch. 9. Verified in tests/verification/power/ac_flow.cpp.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "electrical/admittance/ac_network.hpp"

namespace wattloop::electrical {

struct AcPower {
  double active_w = 0.0;
  double reactive_var = 0.0;
  double current_a = 0.0;
};

struct AcFlow {
  std::vector<double> bus_voltage_v;  ///< [buses], between phases; 0 without a live source
  std::vector<double> bus_angle_rad;  ///< [buses]
  std::vector<AcPower> branch_from;   ///< [branches], into the branch at its bus `from`
  std::vector<AcPower> branch_to;     ///< [branches], into the branch at its bus `to`
  std::vector<double> branch_loss_w;  ///< [branches]
  std::vector<AcPower> source;        ///< [sources], into the network
  std::vector<AcPower> load;          ///< [loads], at the voltage that they have
  double source_total_w = 0.0;
  double load_total_w = 0.0;
  double loss_w = 0.0;  ///< of all branches
};

/// A flow of the right sizes, all zero.
AcFlow make_ac_flow(const AcNetwork& network);

/// Sweeps over trees, Newton's method for any network, or whichever the network needs (electrical/flow/ac_solver.hpp).
enum class FlowMethod { radial, meshed, automatic };

/// How a computation ended. Without a solution the flow is left as it was.
struct FlowEnd {
  bool is_solved = false;
  std::size_t weakest_bus = 0;  ///< the live bus with the lowest voltage; without a solution, where it collapses
  double weakest_ratio = 0.0;   ///< that voltage over its nominal one, as last computed
  int iterations = 0;
};

/// Loads of one bus, per unit at nominal voltage, by how they follow the voltage.
struct BusLoad {
  Complex power;      ///< constant
  Complex current;    ///< in proportion to the voltage
  Complex impedance;  ///< in proportion to its square
};

/// Adds up the loads of each bus. `load_va`: [loads], at nominal voltage. Allocates nothing.
void add_up_loads(const AcNetwork& network, std::span<const Complex> load_va, std::span<BusLoad> at_bus) noexcept;

/// What the loads of a bus draw at its voltage: I = conj(S / V).
inline Complex load_current(const BusLoad& load, Complex voltage) noexcept {
  const double e = voltage.real(), f = voltage.imag(), square = e * e + f * f, magnitude = std::sqrt(square);
  const double p = load.power.real() / square + load.current.real() / magnitude + load.impedance.real();
  const double q = load.power.imag() / square + load.current.imag() / magnitude + load.impedance.imag();
  return {p * e + q * f, p * f - q * e};
}

/// Fills in a flow from voltages [buses] and the series currents [branches] of the branches behind their ratio, per unit. Allocates nothing.
void fill_flow(const AcNetwork& network, std::span<const Complex> load_va, std::span<const Complex> voltage,
               std::span<const Complex> series_current, AcFlow& flow) noexcept;

/// The bus that is live and has the lowest voltage, and its voltage: parts of a FlowEnd.
void find_weakest(std::span<const Complex> voltage, std::span<const std::uint8_t> is_live, FlowEnd& end) noexcept;

}  // namespace wattloop::electrical
