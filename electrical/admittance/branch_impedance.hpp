// Impedances of transformers and cables from what their data sheets say.
//
//   transformer   |Z| = u_k V^2 / S_r,   R = P_k V^2 / S_r^2,   X = sqrt(Z^2 - R^2)
//                 G = P_0 / V^2,   |Y| = i_0 S_r / V^2,   B = - sqrt(Y^2 - G^2)
//   cable         Z = (r + jx) l,   B = 2 pi f c l
//
// V is the rated voltage of the side `to`. Source: [iec_60076_1], [iec_60909_0] clause 6.3. Verified in tests/unit/electrical/ac_network.cpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "electrical/admittance/ac_network.hpp"

namespace wattloop::electrical {

/// Impedance of the zero sequence over that of the positive one.
struct ZeroSequence {
  double resistance_ratio = 1.0;
  double reactance_ratio = 1.0;
};

/// A changer of taps under load, on the side `from`: it keeps the voltage of the side `to`.
struct TapChangerRating {
  double range_fraction = 0.0;  ///< of the turns, to either side of its middle; 0: there is none
  double step_fraction = 0.0125;
  double target_ratio = 1.0;       ///< over nominal voltage
  double dead_band_ratio = 0.025;  ///< of that, from lowest to highest
  double delay_s = 30.0;           ///< outside of the band, before each step
};

struct TransformerRating {
  double rated_va;
  double from_v;                          ///< rated, at the middle tap; 0: nominal voltage of its bus
  double to_v;                            ///< rated; 0: the same
  double short_circuit_voltage_fraction;  ///< u_k
  double load_loss_w = 0.0;               ///< P_k
  double no_load_loss_w = 0.0;            ///< P_0
  double no_load_current_fraction = 0.0;  ///< i_0; less than the no-load loss takes is taken as that
  double tap_fraction = 0.0;              ///< turns at `from` above those of its rated voltage, as it stands
  double zero_sequence_ratio = 0.95;      ///< X_0 / X_1 seen from `to`, whose star point is earthed; R_0 is R_1
  TapChangerRating changer = {};
};

/// Relative reactance x_T.
inline double reactance_ratio(const TransformerRating& rating) noexcept {
  const double resistance = rating.load_loss_w / rating.rated_va, impedance = rating.short_circuit_voltage_fraction;
  return std::sqrt(std::max(0.0, impedance * impedance - resistance * resistance));
}

/// Turns over the nominal voltages of the buses, with `tap_fraction` more turns at `from`: 0.025 is one step of 2.5 %.
inline double transformer_ratio(const TransformerRating& rating, double from_nominal_v, double to_nominal_v,
                                double tap_fraction = 0.0) noexcept {
  return rating.from_v * (1.0 + tap_fraction) / rating.to_v * to_nominal_v / from_nominal_v;
}

/// A transformer whose turns, or whose rated voltages, are farther from the nominal voltages of its buses does not belong there.
inline constexpr double fitting_fraction = 0.15;

/// `count` alike transformers in parallel between two buses of the network, at their middle taps.
inline AcBranch transformer_branch(const AcNetwork& network, std::string name, std::size_t from, std::size_t to,
                                   const TransformerRating& rating, int count = 1) {
  const double square_v2 = rating.to_v * rating.to_v, base = square_v2 / rating.rated_va;
  const double iron = rating.no_load_loss_w / rating.rated_va, no_load = rating.no_load_current_fraction;
  const double magnetising = std::sqrt(std::max(0.0, no_load * no_load - iron * iron));
  return {.name = std::move(name),
          .from = from,
          .to = to,
          .resistance_ohm = rating.load_loss_w / rating.rated_va * base / count,
          .reactance_ohm = reactance_ratio(rating) * base / count,
          .conductance_s = iron / base * count,
          .susceptance_s = -magnetising / base * count,
          .ratio = transformer_ratio(rating, network.buses[from].nominal_v, network.buses[to].nominal_v)};
}

/// One conductor of each phase.
struct CableRating {
  double resistance_ohm_per_m;
  double reactance_ohm_per_m;
  double capacitance_f_per_m = 0.0;
};

struct CableRun {
  double length_m;
  double frequency_hz;
  int parallel = 1;
};

inline AcBranch cable_branch(std::string name, std::size_t from, std::size_t to, const CableRating& rating,
                             const CableRun& run) {
  const double series_m = run.length_m / run.parallel, shunt_m = run.length_m * run.parallel;
  return {.name = std::move(name),
          .from = from,
          .to = to,
          .resistance_ohm = rating.resistance_ohm_per_m * series_m,
          .reactance_ohm = rating.reactance_ohm_per_m * series_m,
          .susceptance_s = 2.0 * std::numbers::pi * run.frequency_hz * rating.capacitance_f_per_m * shunt_m};
}

}  // namespace wattloop::electrical
