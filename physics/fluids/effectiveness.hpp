// Effectiveness of heat exchangers from their number of transfer units, and the heat two streams exchange.
//
//   eps = Q / (C_min (T_hot,in - T_cold,in)),  NTU = UA / C_min,  C_r = C_min / C_max
//
// Every relation of the table is put together from d(r, x) = (1 - exp(-r x)) / r, which tends to x as r -> 0,
// so that C_r = 0, C_r = 1 and NTU = 0 need no cases of their own.
//
// Source: [incropera2011] table 11.3; crossflow_unmixed is the approximation eq. 11.32, which lies up to 4 %
// below the exact series at small NTU and within 2.5 % from NTU 1 up.
// Verified in tests/verification/water/effectiveness_ntu.cpp.
#pragma once

#include <algorithm>
#include <cmath>

namespace wattloop::physics {

enum class FlowArrangement {
  counterflow,
  parallel,
  crossflow_unmixed,
  crossflow_cmax_mixed,
  crossflow_cmin_mixed,
  shell_one_tube_two,
};

/// (1 - exp(-rate x)) / rate: x, discounted at a rate; x itself at rate 0.
inline double discounted(double rate, double x) noexcept { return rate == 0.0 ? x : -std::expm1(-rate * x) / rate; }

/// Effectiveness for NTU >= 0 and a capacity ratio C_min / C_max from 0 to 1.
inline double effectiveness(FlowArrangement arrangement, double ntu, double capacity_ratio) noexcept {
  const double cr = capacity_ratio;
  switch (arrangement) {
    case FlowArrangement::counterflow: {
      const double transfer = discounted(1.0 - cr, ntu);
      return transfer / (1.0 + cr * transfer);
    }
    case FlowArrangement::parallel:
      return discounted(1.0 + cr, ntu);
    case FlowArrangement::crossflow_unmixed:
      return discounted(1.0, std::pow(ntu, 0.22) * discounted(cr, std::pow(ntu, 0.78)));
    case FlowArrangement::crossflow_cmax_mixed:
      return discounted(cr, discounted(1.0, ntu));
    case FlowArrangement::crossflow_cmin_mixed:
      return discounted(1.0, discounted(cr, ntu));
    case FlowArrangement::shell_one_tube_two: {
      const double root = std::sqrt(1.0 + cr * cr);
      const double lost = -std::expm1(-ntu * root);
      return 2.0 * lost / ((1.0 + cr - root) * lost + 2.0 * root);
    }
  }
  return 0.0;
}

/// A stream where it enters an exchanger.
struct Stream {
  double temperature_k;
  double capacity_rate_w_per_k;  ///< m c, not negative
};

/// Watts per kelvin between the two inlets, from the capacity rates m c of both streams; 0 when either stands still.
inline double exchanged_w_per_k(double first_rate_w_per_k, double second_rate_w_per_k, double conductance_w_per_k,
                                FlowArrangement arrangement) noexcept {
  const double smaller = std::min(first_rate_w_per_k, second_rate_w_per_k);
  const double larger = std::max(first_rate_w_per_k, second_rate_w_per_k);
  if (smaller <= 0.0) return 0.0;
  constexpr double endless_ntu = 1e9;  // keeps the quotient finite for a trickle
  const double ntu = std::min(conductance_w_per_k / smaller, endless_ntu);
  return effectiveness(arrangement, ntu, smaller / larger) * smaller;
}

/// Heat from hot to cold; negative when the "hot" inlet is the colder one, 0 when either stream stands still.
inline double exchanged_heat_w(const Stream& hot, const Stream& cold, double conductance_w_per_k,
                               FlowArrangement arrangement) noexcept {
  return exchanged_w_per_k(hot.capacity_rate_w_per_k, cold.capacity_rate_w_per_k, conductance_w_per_k, arrangement) *
         (hot.temperature_k - cold.temperature_k);
}

}  // namespace wattloop::physics
