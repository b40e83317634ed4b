#include "twin/core_integrator.hpp"

#include <algorithm>
#include <cstddef>

namespace wattloop::twin {

void UnitEnergy::mean_w(double from_s, double to_s, std::span<double> power_w) const {
  const auto add = [&](double t_s, double sign) {
    const auto after = std::upper_bound(instants_s.begin() + 1, instants_s.end() - 1, t_s);
    const auto sample = static_cast<std::size_t>(after - instants_s.begin()) - 1;
    const double progress = std::clamp((t_s - instants_s[sample]) / (instants_s[sample + 1] - instants_s[sample]), 0.0, 1.0);
    const double* begin_j = energy_j.data() + sample * sink_count;
    const double* end_j = begin_j + sink_count;
    for (std::size_t k = 0; k < sink_count; ++k) power_w[k] += sign * (begin_j[k] + progress * (end_j[k] - begin_j[k]));
  };
  std::fill(power_w.begin(), power_w.end(), 0.0);
  add(to_s, 1.0);
  add(from_s, -1.0);
  for (double& power : power_w) power /= to_s - from_s;
}

}  // namespace wattloop::twin
