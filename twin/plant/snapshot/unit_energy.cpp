#include "twin/plant/snapshot/unit_energy.hpp"

#include <algorithm>
#include <cstddef>

namespace wattloop::twin {

namespace {

/// Means of columns of energies [instant][column] that are linear between instants.
void mean_power_w(std::span<const double> instants_s, std::span<const double> energy_j, double from_s, double to_s,
                  std::span<double> power_w) {
  const auto add = [&](double t_s, double sign) {
    const auto after = std::upper_bound(instants_s.begin() + 1, instants_s.end() - 1, t_s);
    const auto sample = static_cast<std::size_t>(after - instants_s.begin()) - 1;
    const double progress =
        std::clamp((t_s - instants_s[sample]) / (instants_s[sample + 1] - instants_s[sample]), 0.0, 1.0);
    const double* begin_j = energy_j.data() + sample * power_w.size();
    const double* end_j = begin_j + power_w.size();
    for (std::size_t k = 0; k < power_w.size(); ++k)
      power_w[k] += sign * (begin_j[k] + progress * (end_j[k] - begin_j[k]));
  };
  std::fill(power_w.begin(), power_w.end(), 0.0);
  add(to_s, 1.0);
  add(from_s, -1.0);
  for (double& power : power_w) power /= to_s - from_s;
}

}  // namespace

void UnitEnergy::mean_w(double from_s, double to_s, std::span<double> power_w) const {
  mean_power_w(instants_s, energy_j, from_s, to_s, power_w.first(sink_count));
}

void UnitEnergy::mean_tree_w(double from_s, double to_s, std::span<double> power_w) const {
  mean_power_w(instants_s, tree_j, from_s, to_s, power_w.first(tree_sink_count));
}

void UnitEnergy::sample_w(std::size_t sample, std::span<double> power_w) const {
  const double* begin_j = energy_j.data() + sample * sink_count;
  const double per_s = 1.0 / (instants_s[sample + 1] - instants_s[sample]);
  for (std::size_t k = 0; k < sink_count; ++k) power_w[k] = per_s * (begin_j[k + sink_count] - begin_j[k]);
}

}  // namespace wattloop::twin
