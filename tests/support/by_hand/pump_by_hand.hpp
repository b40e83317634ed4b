// A pump of a water system on its curve, by hand: dp (1.31 n^2 - 0.31 x^2) with x = m / m_r, at most dp as its drive lets it turn
// slower, and a twentieth of dp x^2 lost in its own branch; power P_r n^2 (0.46 n + 0.54 x).
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace wattloop::tests {

struct PumpByHand {
  double rated_kg_per_s, rated_pa;
  bool holds = true;

  /// Between headers at that difference.
  double flow_at(double difference_pa, double most_speed) const {
    const double square = rated_kg_per_s * rated_kg_per_s / rated_pa;
    const double falling = (1.31 * most_speed * most_speed * rated_pa - difference_pa) * square / (0.31 + 0.05);
    const double held = (rated_pa - difference_pa) * square / 0.05;
    return std::sqrt(std::max(holds ? std::min(falling, held) : falling, 0.0));
  }
  double turning(double most_speed, double kg_per_s) const {
    const double x = kg_per_s / rated_kg_per_s;
    return holds ? std::min(most_speed, std::sqrt((1.0 + 0.31 * x * x) / 1.31)) : most_speed;
  }
  double pressure_pa(double speed, double kg_per_s) const {
    const double x = kg_per_s / rated_kg_per_s;
    return rated_pa * (1.31 * speed * speed - 0.31 * x * x);
  }
  /// Over that at its rating.
  static double power_ratio(double speed, double x) { return speed * speed * (0.46 * speed + 0.54 * x); }
};

/// The root of a falling function between two places.
template <class Function>
double root_of(Function&& surplus, double low, double high) {
  for (int k = 0; k < 200; ++k) {
    const double middle = 0.5 * (low + high);
    (surplus(middle) > 0.0 ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

/// How pumps side by side share a flow [pump].
inline std::vector<double> shares_kg_per_s(const PumpByHand& pump, const std::vector<double>& most_speeds, double all) {
  const auto given = [&](double difference_pa) {
    double sum = 0.0;
    for (const double speed : most_speeds) sum += speed > 1e-9 ? pump.flow_at(difference_pa, speed) : 0.0;
    return sum;
  };
  const double difference_pa = root_of([&](double d) { return given(d) - all; }, -1e6, 2.0 * pump.rated_pa);
  std::vector<double> shares;
  for (const double speed : most_speeds) shares.push_back(speed > 1e-9 ? pump.flow_at(difference_pa, speed) : 0.0);
  return shares;
}

}  // namespace wattloop::tests
