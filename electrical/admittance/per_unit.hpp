// Per unit: impedances and powers over one base power and the nominal voltage of each bus.
//
//   Z_base = V_n^2 / S_base,   I_base = S_base / (sqrt(3) V_n)
//
// Source: [grainger1994] ch. 2.
#pragma once

#include <cmath>
#include <numbers>

#include "electrical/admittance/ac_network.hpp"

namespace wattloop::electrical {

inline constexpr double base_va = 1e6;

inline double base_ohm(const AcBus& bus) noexcept { return bus.nominal_v * bus.nominal_v / base_va; }
inline double base_a(const AcBus& bus) noexcept { return base_va / (std::numbers::sqrt3 * bus.nominal_v); }

inline Complex series_impedance(const AcNetwork& network, const AcBranch& branch) {
  return Complex(branch.resistance_ohm, branch.reactance_ohm) / base_ohm(network.buses[branch.to]);
}
inline Complex shunt_admittance(const AcNetwork& network, const AcBranch& branch) {
  return Complex(branch.conductance_s, branch.susceptance_s) * base_ohm(network.buses[branch.to]);
}
inline Complex source_impedance(const AcNetwork& network, const AcSource& source) {
  return Complex(source.resistance_ohm, source.reactance_ohm) / base_ohm(network.buses[source.bus]);
}
/// Voltage of a source at no load.
inline Complex source_voltage(const AcSource& source) { return std::polar(source.voltage_ratio, source.angle_rad); }

/// As operator*, without its care for infinities: all values here are finite.
constexpr Complex product(Complex a, Complex b) noexcept {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// What the ends of a branch draw by the voltages of both: I_from = from_from V_from + from_to V_to.
struct TwoPort {
  Complex from_from, from_to, to_from, to_to;
};

/// The series impedance must not be 0.
inline TwoPort two_port(Complex series_impedance, Complex shunt_admittance, double ratio) {
  const Complex series = 1.0 / series_impedance, with_half = series + 0.5 * shunt_admittance;
  return {with_half / (ratio * ratio), -series / ratio, -series / ratio, with_half};
}

}  // namespace wattloop::electrical
