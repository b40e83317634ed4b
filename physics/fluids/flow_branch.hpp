// What flows through a branch of a network: pipe, pump, control valve and check valve in series.
//
//   p_from - p_to + imposed + pump(m, n) = R m (|m| + m_0)^(k-1)        R = R_pipe / s^k + R_valve / f(x)^k
//   pump(m, n) = n^2 a + n b m + c m^2, held at its peak for smaller and reverse flow; at most what its drive holds
//   m >= 0 where there is a check valve, m = 0 where the valve is closed or nothing is left of the passage s
//
// k is 2 where flow is turbulent in rough pipes, 1.75 in smooth ones. Flow rises with the pressure difference and is explicit for
// k = 2. m_0 is 1e-6 of the flow that the strongest pump of the network would drive through the branch alone: it bounds
// the conductance of standing branches and is far below any other error.
//
// Source: [asme_ashrae_pumps] (affinity), [munson2013] ch. 8 (exponents), valve as in physics/fluids/valve.hpp.
// Verified in tests/verification/water/flow_network.cpp and still_flows.cpp.
#pragma once

#include <cmath>
#include <cstddef>

#include "physics/fluids/pump.hpp"
#include "physics/fluids/valve.hpp"

namespace wattloop::physics {

/// A pump curve over mass flow: pressure = n^2 shutoff + n linear m + quadratic m^2.
struct PumpCurve {
  double shutoff_pa = 0.0;  ///< 0: no pump
  double linear_pa_s_per_kg = 0.0;
  double quadratic_pa_s2_per_kg2 = 0.0;
  /// A drive lets the pump turn slower where it would give more than that; n is then the most that it may turn. 0: it never does.
  double controlled_pa = 0.0;

  bool operator==(const PumpCurve&) const = default;
};

/// The curve of a pump in a coolant of that density.
PumpCurve pump_curve(const PumpParams& pump, double density_kg_per_m3) noexcept;

/// Quadratic resistance that takes `pressure_drop_pa` at `flow_kg_per_s`.
constexpr double quadratic_resistance_pa_s2_per_kg2(double pressure_drop_pa, double flow_kg_per_s) noexcept {
  return pressure_drop_pa / (flow_kg_per_s * flow_kg_per_s);
}

/// Pressure drop at 1 kg/s of a resistance that has `pressure_drop_pa` at `flow_kg_per_s` and follows the flow with that exponent.
inline double resistance_of_exponent(double pressure_drop_pa, double flow_kg_per_s, double exponent) noexcept {
  if (exponent == 2.0) return quadratic_resistance_pa_s2_per_kg2(pressure_drop_pa, flow_kg_per_s);
  return pressure_drop_pa / std::pow(flow_kg_per_s, exponent);
}

/// A path between two pressure nodes. A resistance is the pressure drop at 1 kg/s, in Pa; its name has the unit for exponent 2.
struct FlowBranch {
  std::size_t from;
  std::size_t to;
  double resistance_pa_s2_per_kg2;  ///< of all but the valve
  double exponent = 2.0;            ///< 1 to 2
  PumpCurve pump = {};              ///< pushes from `from` to `to`
  ControlValve valve = {};
  bool has_check_valve = false;
  bool is_imposed = false;  ///< carries `imposed_kg_per_s` whatever the pressures, and has nothing of the above

  bool operator==(const FlowBranch&) const = default;
};

/// Values of a branch that may change during a run.
struct BranchSetting {
  double speed_fraction = 0.0;     ///< of the pump, of rated speed
  double position_fraction = 1.0;  ///< of the valve; 0: closed
  double passage_fraction =
      1.0;  ///< of all but the valve: flow at the same pressure, over that as given; less where it clogs
  double imposed_pa = 0.0;        ///< pressure that another device adds from `from` to `to`
  double imposed_kg_per_s = 0.0;  ///< of an imposed flow

  bool operator==(const BranchSetting&) const = default;
};

/// A branch with its valve where it is.
struct BranchLaw {
  double resistance_pa_s2_per_kg2;
  double linear_flow_kg_per_s;  ///< m_0
  ValveOpening opening;
  bool is_blocked = false;  ///< nothing is left of the passage

  bool is_closed() const noexcept { return is_blocked || opening.fraction <= 0.0; }
};

/// Flow through a branch and what it changes with.
struct BranchFlow {
  double flow_kg_per_s;
  double per_pressure_kg_per_s_pa;
};

/// Change of the flow through a branch between nodes whose pressures stand still.
struct BranchResponse {
  double per_speed_kg_per_s;
  double per_position_kg_per_s;
};

/// Throws `std::invalid_argument`, with the number of the branch, for one that cannot be.
void check(const FlowBranch& branch, std::size_t number, std::size_t node_count);

BranchLaw law_of(const FlowBranch& branch, const BranchSetting& setting, double strongest_pa) noexcept;

/// Flow at a pressure difference from - to.
BranchFlow flow_at(const FlowBranch& branch, const BranchLaw& law, const BranchSetting& setting,
                   double difference_pa) noexcept;

/// By speed and by position at the same pressure difference. Of a closed valve: as it begins to open.
BranchResponse response_at(const FlowBranch& branch, const BranchLaw& law, const BranchSetting& setting,
                           double difference_pa) noexcept;

/// What a branch would carry if nothing else took the pressure of its pump, or what is imposed.
double driven_flow_kg_per_s(const FlowBranch& branch, const BranchSetting& setting) noexcept;

}  // namespace wattloop::physics
