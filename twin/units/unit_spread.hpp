// How far GPUs of one kind differ from each other, as a scenario says it. Another thing than `workload.spread`, which spreads the
// nodes of a replayed trace over a hall.
//
// Resistance: between 8 H100 of one node, at equal power and place in the air, die above a 25 to 30 degC inlet spreads by 2 to 7 %
// [gpu_telemetry_h100_10hz]; 7 % of interface and conduction, 5 % of flow are 5 % of the whole on a cold plate. Leakage: a fleet idles
// at 74.7 W with a deviation of 7.9 W [nvidia_smi_h100]. Flow: engineering_estimate.
#pragma once

#include <array>

#include "core/parts/field.hpp"

namespace wattloop::twin {

/// Standard deviations over their means.
struct UnitSpread {
  double resistance_ratio = 0.07;
  double flow_ratio = 0.05;
  double leakage_ratio = 0.10;

  static constexpr double largest_ratio = 0.3;  ///< more would leave units without flow

  static constexpr UnitSpread none() { return {0.0, 0.0, 0.0}; }
  bool is_none() const { return resistance_ratio == 0.0 && flow_ratio == 0.0 && leakage_ratio == 0.0; }

  static constexpr auto fields() {
    using P = UnitSpread;
    return std::array{
        Field<P>{&P::resistance_ratio, "resistance", "1", Range::fraction,
                 "Spread of the thermal resistance between die and coolant from GPU to GPU: standard deviation divided "
                 "by mean, at most 0.3."},
        Field<P>{&P::flow_ratio, "flow", "1", Range::fraction,
                 "Spread of a GPU's share of the coolant: standard deviation divided by mean, at most 0.3. The total "
                 "of eight neighbours does not change."},
        Field<P>{
            &P::leakage_ratio, "leakage", "1", Range::fraction,
            "Spread of the slope of leakage, if GPUs have leakage: standard deviation divided by mean, at most 0.3."},
    };
  }
};

}  // namespace wattloop::twin
