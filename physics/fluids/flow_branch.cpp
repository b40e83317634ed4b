#include "physics/fluids/flow_branch.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace wattloop::physics {
namespace {

/// A valve that is open by less counts as closed, because its resistance would exceed the range of numbers.
constexpr double closed_fraction = 1e-9;

double power(double base, double exponent) noexcept { return exponent == 2.0 ? base * base : std::pow(base, exponent); }
double root(double base, double exponent) noexcept {
  return exponent == 2.0 ? std::sqrt(base) : std::pow(base, 1.0 / exponent);
}

/// A pump at its present speed: pressure = at_rest + linear m + quadratic m^2, for flows above the flow of the peak.
struct RunningPump {
  double speed_fraction;
  double peak_kg_per_s;
  double peak_pa;
  double at_rest_pa, linear_pa_s_per_kg, quadratic_pa_s2_per_kg2;
  bool is_controlled = false;  ///< its drive holds the pressure of the peak
};

RunningPump running(const PumpCurve& curve, double speed_fraction) noexcept {
  const double n = curve.shutoff_pa > 0.0 ? std::max(speed_fraction, 0.0) : 0.0;
  const double a = curve.shutoff_pa, b = curve.linear_pa_s_per_kg, c = curve.quadratic_pa_s2_per_kg2;
  const double peak_flow = b > 0.0 ? -0.5 * b / c : 0.0;  // at rated speed
  RunningPump pump{n, n * peak_flow, n * n * (a + 0.5 * b * peak_flow), n * n * a, n * b, c};
  if (curve.controlled_pa <= 0.0 || pump.peak_pa <= curve.controlled_pa) return pump;
  pump.is_controlled = true;  // up to the flow at which the curve falls to that
  const double root = std::sqrt(n * b * n * b - 4.0 * c * (pump.at_rest_pa - curve.controlled_pa));
  pump.peak_kg_per_s = (n * b + root) / (-2.0 * c);
  pump.peak_pa = curve.controlled_pa;
  return pump;
}

/// Pressure drop of the resistance and its derivative with respect to flow, for a flow that is not negative.
struct Loss {
  double pressure_pa;
  double per_flow_pa_s_per_kg;
};

Loss loss_at(const BranchLaw& law, double exponent, double flow_kg_per_s) noexcept {
  const double bent = flow_kg_per_s + law.linear_flow_kg_per_s;
  if (exponent == 2.0) {
    return {law.resistance_pa_s2_per_kg2 * flow_kg_per_s * bent, law.resistance_pa_s2_per_kg2 * (bent + flow_kg_per_s)};
  }
  const double slope = law.resistance_pa_s2_per_kg2 * std::pow(bent, exponent - 2.0);
  return {slope * bent * flow_kg_per_s, slope * (bent + (exponent - 1.0) * flow_kg_per_s)};
}

/// The root of a convex rising function. Newton's method begins to the right of the root and decreases to it.
template <class Function>
BranchFlow fall_onto_root(double flow_kg_per_s, Function&& function) noexcept {
  Loss now = function(flow_kg_per_s);
  for (int iteration = 0; iteration < 60; ++iteration) {
    const double next = std::max(flow_kg_per_s - now.pressure_pa / now.per_flow_pa_s_per_kg, 0.0);
    if (!(next < flow_kg_per_s)) break;
    flow_kg_per_s = next;
    now = function(flow_kg_per_s);
  }
  return {flow_kg_per_s, 1.0 / now.per_flow_pa_s_per_kg};
}

/// Flow that a pressure drives through the resistance alone, in either direction.
BranchFlow flow_through(const BranchLaw& law, double exponent, double driving_pa) noexcept {
  const double resistance = law.resistance_pa_s2_per_kg2, size_pa = std::abs(driving_pa);
  if (exponent == 2.0) {
    const double linear = resistance * law.linear_flow_kg_per_s;
    const double root = std::sqrt(linear * linear + 4.0 * resistance * size_pa);
    return {2.0 * driving_pa / (linear + root), 1.0 / root};
  }
  const BranchFlow found =
      fall_onto_root(std::pow(size_pa / resistance, 1.0 / exponent), [&](double flow_kg_per_s) -> Loss {
        const Loss loss = loss_at(law, exponent, flow_kg_per_s);
        return {loss.pressure_pa - size_pa, loss.per_flow_pa_s_per_kg};
      });
  return {driving_pa < 0.0 ? -found.flow_kg_per_s : found.flow_kg_per_s, found.per_pressure_kg_per_s_pa};
}

/// Flow on the falling side of a pump's curve.
BranchFlow flow_against(const BranchLaw& law, double exponent, const RunningPump& pump, double driving_pa) noexcept {
  if (exponent == 2.0) {  // k m^2 + l m = x
    const double linear = law.resistance_pa_s2_per_kg2 * law.linear_flow_kg_per_s;
    const double k = law.resistance_pa_s2_per_kg2 - pump.quadratic_pa_s2_per_kg2;
    const double l = linear - pump.linear_pa_s_per_kg;
    const double x = driving_pa + pump.at_rest_pa;
    const double root = std::sqrt(std::max(l * l + 4.0 * k * x, linear * linear));
    return {l > 0.0 ? 2.0 * x / (l + root) : (root - l) / (2.0 * k), 1.0 / root};
  }
  const double above_peak_pa = driving_pa + pump.peak_pa;  // the pump gives less than that: so flow is less, too
  const double start = std::pow(above_peak_pa / law.resistance_pa_s2_per_kg2, 1.0 / exponent);
  return fall_onto_root(std::max(start, pump.peak_kg_per_s), [&](double m) -> Loss {
    const Loss loss = loss_at(law, exponent, m);
    return {loss.pressure_pa - driving_pa - pump.at_rest_pa -
                m * (pump.linear_pa_s_per_kg + m * pump.quadratic_pa_s2_per_kg2),
            loss.per_flow_pa_s_per_kg - pump.linear_pa_s_per_kg - 2.0 * m * pump.quadratic_pa_s2_per_kg2};
  });
}

BranchFlow flow_at(const FlowBranch& branch, const BranchLaw& law, const RunningPump& pump,
                   double driving_pa) noexcept {
  const double at_peak_pa = driving_pa + pump.peak_pa;
  if (at_peak_pa <= 0.0 && branch.has_check_valve) return {0.0, 0.0};
  // At or below the peak of the curve, or reverse, pump pressure is constant.
  if (at_peak_pa <= loss_at(law, branch.exponent, pump.peak_kg_per_s).pressure_pa)
    return flow_through(law, branch.exponent, at_peak_pa);
  return flow_against(law, branch.exponent, pump, driving_pa);
}

}  // namespace

PumpCurve pump_curve(const PumpParams& pump, double density_kg_per_m3) noexcept {
  return {
      .shutoff_pa = pump.shutoff_pressure_pa,
      .linear_pa_s_per_kg = pump.linear_pa_s_per_m3 / density_kg_per_m3,
      .quadratic_pa_s2_per_kg2 = pump.quadratic_pa_s2_per_m6 / (density_kg_per_m3 * density_kg_per_m3),
  };
}

void check(const FlowBranch& branch, std::size_t number, std::size_t node_count) {
  const std::string name = "branch " + std::to_string(number);
  const auto demand = [&](bool holds, const char* what) {
    if (!holds) throw std::invalid_argument(name + what);
  };
  demand(branch.from < node_count && branch.to < node_count, " ends at no node");
  demand(branch.from != branch.to, " ends where it begins");
  if (branch.is_imposed) return;
  const double pipe = branch.resistance_pa_s2_per_kg2, valve = branch.valve.open_resistance_pa_s2_per_kg2;
  demand(pipe >= 0.0 && valve >= 0.0 && pipe + valve > 0.0 && std::isfinite(pipe + valve), " has no resistance");
  demand(branch.exponent >= 1.0 && branch.exponent <= 2.0, " has an exponent outside of 1 to 2");
  const PumpCurve& pump = branch.pump;
  demand(pump.quadratic_pa_s2_per_kg2 < 0.0 || (pump.quadratic_pa_s2_per_kg2 == 0.0 && pump.linear_pa_s_per_kg <= 0.0),
         " has a pump whose pressure rises without end");
  demand(pump.controlled_pa == 0.0 || pump.quadratic_pa_s2_per_kg2 < 0.0, " has a pump that holds what never falls");
}

BranchLaw law_of(const FlowBranch& branch, const BranchSetting& setting, double strongest_pa) noexcept {
  BranchLaw law{branch.resistance_pa_s2_per_kg2, 0.0, {}};
  law.is_blocked = setting.passage_fraction < closed_fraction;
  if (!law.is_blocked && setting.passage_fraction != 1.0)
    law.resistance_pa_s2_per_kg2 /= power(setting.passage_fraction, branch.exponent);
  const double valve = branch.valve.open_resistance_pa_s2_per_kg2;
  if (valve > 0.0) {
    law.opening = branch.valve.opening(setting.position_fraction);
    if (law.opening.fraction < closed_fraction) law.opening.fraction = 0.0;
    law.resistance_pa_s2_per_kg2 =
        law.is_closed() ? valve : law.resistance_pa_s2_per_kg2 + valve / power(law.opening.fraction, branch.exponent);
  }
  law.linear_flow_kg_per_s = 1e-6 * root(strongest_pa / law.resistance_pa_s2_per_kg2, branch.exponent);
  return law;
}

BranchFlow flow_at(const FlowBranch& branch, const BranchLaw& law, const BranchSetting& setting,
                   double difference_pa) noexcept {
  if (branch.is_imposed) return {setting.imposed_kg_per_s, 0.0};
  if (law.is_closed()) return {0.0, 0.0};
  const double driving_pa = difference_pa + setting.imposed_pa;
  if (branch.pump.shutoff_pa > 0.0)
    return flow_at(branch, law, running(branch.pump, setting.speed_fraction), driving_pa);
  if (driving_pa <= 0.0 && branch.has_check_valve) return {0.0, 0.0};
  return flow_through(law, branch.exponent, driving_pa);
}

BranchResponse response_at(const FlowBranch& branch, const BranchLaw& law, const BranchSetting& setting,
                           double difference_pa) noexcept {
  if (branch.is_imposed || law.is_blocked) return {0.0, 0.0};
  RunningPump pump = running(branch.pump, setting.speed_fraction);
  const double driving_pa = difference_pa + setting.imposed_pa;
  if (law.is_closed()) {  // all of the pressure at the valve, none of it lost elsewhere: flow is f times that of the open valve
    pump.peak_kg_per_s = pump.linear_pa_s_per_kg = pump.quadratic_pa_s2_per_kg2 = 0.0;
    pump.at_rest_pa = pump.peak_pa;
    return {0.0, law.opening.per_position * flow_at(branch, law, pump, driving_pa).flow_kg_per_s};
  }
  const auto [flow, per_pressure] = flow_at(branch, law, pump, driving_pa);
  BranchResponse response{0.0, 0.0};
  if (branch.pump.shutoff_pa > 0.0 && setting.speed_fraction >= 0.0) {
    const double twice_n = 2.0 * pump.speed_fraction;
    const double at_peak_pa = pump.is_controlled || twice_n == 0.0 ? 0.0 : 2.0 * pump.peak_pa / pump.speed_fraction;
    const double per_speed_pa = flow > pump.peak_kg_per_s
                                    ? twice_n * branch.pump.shutoff_pa + branch.pump.linear_pa_s_per_kg * flow
                                    : at_peak_pa;
    response.per_speed_kg_per_s = per_speed_pa * per_pressure;
  }
  const double valve = branch.valve.open_resistance_pa_s2_per_kg2;
  if (valve > 0.0) {  // R changes, and m_0 with it
    const double k = branch.exponent, f = law.opening.fraction, m_0 = law.linear_flow_kg_per_s;
    const double by_opening = -k * valve / (power(f, k) * f) * law.opening.per_position;
    const double bent = std::abs(flow) + m_0;
    const double by_resistance = flow * (std::pow(bent, k - 1.0) - (k - 1.0) / k * m_0 * std::pow(bent, k - 2.0));
    response.per_position_kg_per_s = -by_opening * by_resistance * per_pressure;
  }
  return response;
}

double driven_flow_kg_per_s(const FlowBranch& branch, const BranchSetting& setting) noexcept {
  if (branch.is_imposed) return std::abs(setting.imposed_kg_per_s);
  if (branch.pump.shutoff_pa <= 0.0 && setting.imposed_pa == 0.0) return 0.0;
  const double pump_pa = running(branch.pump, setting.speed_fraction).peak_pa;
  const double resistance = branch.resistance_pa_s2_per_kg2 + branch.valve.open_resistance_pa_s2_per_kg2;
  return root((pump_pa + std::abs(setting.imposed_pa)) / resistance, branch.exponent);
}

}  // namespace wattloop::physics
