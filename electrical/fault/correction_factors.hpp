// Factors of IEC 60909-0 on impedances, voltages and peaks of short circuits, three-phase.
//
//   network transformer       K_T   = 0.95 c_max / (1 + 0.6 x_T)
//   generator                 K_G   = U_n / U_rG  c_max / (1 + x''_d sin phi)
//   unit without tap changer  K_SO  = U_nQ / (U_rG (1 + p_G))  U_rTLV / U_rTHV  c_max / (1 + x''_d sin phi)
//   unit with tap changer     K_S   = U_nQ^2 / U_rG^2  U_rTLV^2 / U_rTHV^2  c_max / (1 + |x''_d - x_T| sin phi)
//   generator of a unit, for a short circuit at its terminals, where the voltage is c U_rG
//                             c_max / (1 + p_G) / (1 + x''_d sin phi),   with tap changer without p_G
//   peak                      i_p   = kappa sqrt(2) I''_k,   kappa = 1.02 + 0.98 exp(-3 R/X)
//
// K_T and those of generators belong to the largest short circuit; the smallest takes impedances as they are.
// Source: [iec_60909_0] clauses 5.3.1, 6.3.3, 6.6.1, 6.7, 8.1. Verified in tests/verification/power/short_circuit.cpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

namespace wattloop::electrical {

/// Voltage of the equivalent source at the short circuit, over the nominal voltage.
struct VoltageFactors {
  double largest;
  double smallest;
};

/// What low-voltage systems are kept within decides their factor.
enum class LowVoltageTolerance { six_percent, ten_percent };

inline constexpr double low_voltage_v = 1000.0;  ///< up to which voltage is low

/// Table 1.
constexpr VoltageFactors voltage_factors(double nominal_v, LowVoltageTolerance tolerance) noexcept {
  if (nominal_v > low_voltage_v) return {1.10, 1.00};
  return tolerance == LowVoltageTolerance::six_percent ? VoltageFactors{1.05, 0.95} : VoltageFactors{1.10, 0.90};
}

/// `reactance_ratio`: relative reactance x_T.
constexpr double network_transformer_factor(double reactance_ratio, double largest_voltage_factor) noexcept {
  return 0.95 * largest_voltage_factor / (1.0 + 0.6 * reactance_ratio);
}

struct GeneratorRating {
  double rated_va;
  double rated_v;
  double subtransient_ratio;            ///< x''_d
  double power_factor;                  ///< rated
  double resistance_ohm = 0.0;          ///< of the stator
  double voltage_range_fraction = 0.0;  ///< p_G: how far above its rated voltage it is kept
};

inline double sine(const GeneratorRating& generator) noexcept {
  return std::sqrt(1.0 - generator.power_factor * generator.power_factor);
}

inline double subtransient_reactance_ohm(const GeneratorRating& generator) noexcept {
  return generator.subtransient_ratio * generator.rated_v * generator.rated_v / generator.rated_va;
}

/// Fictitious resistance R_Gf, which peaks are computed with: it stands for the decay of the direct component.
inline double resistance_for_peak_ohm(const GeneratorRating& generator) noexcept {
  const bool is_low_voltage = generator.rated_v <= low_voltage_v, is_large = generator.rated_va >= 100e6;
  return (is_low_voltage ? 0.15 : is_large ? 0.05 : 0.07) * subtransient_reactance_ohm(generator);
}

/// Of a generator that feeds its bus without a transformer.
inline double generator_factor(const GeneratorRating& generator, double nominal_v,
                               double largest_voltage_factor) noexcept {
  return nominal_v / generator.rated_v * largest_voltage_factor /
         (1.0 + generator.subtransient_ratio * sine(generator));
}

/// Transformer between a generator and the network.
struct UnitTransformer {
  double network_side_v;         ///< rated
  double generator_side_v;       ///< rated
  double reactance_ratio;        ///< x_T
  bool has_tap_changer = false;  ///< on load
};

/// Of generator and transformer of a power station unit, for short circuits anywhere but at the generator. `nominal_v`: of the network side.
inline double unit_factor(const GeneratorRating& generator, const UnitTransformer& transformer, double nominal_v,
                          double largest_voltage_factor) noexcept {
  const double turns = transformer.generator_side_v / transformer.network_side_v;
  const double ratio = nominal_v / generator.rated_v * turns;
  if (transformer.has_tap_changer) {
    const double difference = std::abs(generator.subtransient_ratio - transformer.reactance_ratio);
    return ratio * ratio * largest_voltage_factor / (1.0 + difference * sine(generator));
  }
  return ratio / (1.0 + generator.voltage_range_fraction) * largest_voltage_factor /
         (1.0 + generator.subtransient_ratio * sine(generator));
}

/// Of the generator of a unit, for a short circuit at its terminals: the voltage there is then the rated one of the generator, and the transformer
/// has no factor.
inline double terminal_factor(const GeneratorRating& generator, const UnitTransformer& transformer,
                              double largest_voltage_factor) noexcept {
  const double range = transformer.has_tap_changer ? 1.0 : 1.0 + generator.voltage_range_fraction;
  return generator_factor(generator, generator.rated_v, largest_voltage_factor) / range;
}

/// kappa of a short circuit whose impedance has this R/X.
inline double peak_factor(double resistance_over_reactance) noexcept {
  return 1.02 + 0.98 * std::exp(-3.0 * std::max(0.0, resistance_over_reactance));
}

/// Resistance of a copper or aluminium conductor at the end of the smallest short circuit over that at 20 degC.
constexpr double hot_conductor_ratio(double end_k) noexcept { return 1.0 + 0.004 * (end_k - 293.15); }

}  // namespace wattloop::electrical
