#include "electrical/flow/tap_changer.hpp"

#include <fmt/format.h>

namespace wattloop::electrical {

std::vector<std::string> mistakes_in(const AcNetwork& network, std::span<const TapChanger> changers) {
  std::vector<std::string> mistakes;
  for (const TapChanger& changer : changers) {
    if (changer.branch >= network.branches.size() || changer.bus >= network.buses.size()) {
      mistakes.push_back("a tap changer has a branch or a bus that does not exist");
      continue;
    }
    const std::string& name = network.branches[changer.branch].name;
    if (!(changer.step_fraction > 0.0) || changer.lowest > changer.highest)
      mistakes.push_back(fmt::format(
          "tap changer of '{}': steps must be positive, and the lowest tap no higher than the highest", name));
    if (!(changer.dead_band_ratio > changer.step_fraction * changer.target_ratio))
      mistakes.push_back(fmt::format("tap changer of '{}': its dead band of {} is narrower than a step of {}", name,
                                     changer.dead_band_ratio, changer.step_fraction));
  }
  return mistakes;
}

bool move_taps(AcNetwork& network, std::span<const TapChanger> changers, const AcFlow& flow, std::span<int> taps) {
  bool has_moved = false;
  for (std::size_t number = 0; number < changers.size(); ++number) {
    const TapChanger& changer = changers[number];
    const double ratio = flow.bus_voltage_v[changer.bus] / network.buses[changer.bus].nominal_v;
    const double above = ratio - changer.target_ratio;
    if (ratio == 0.0 || std::abs(above) <= 0.5 * changer.dead_band_ratio) continue;
    const int tap = taps[number] + (above > 0.0 ? 1 : -1);
    if (tap < changer.lowest || tap > changer.highest) continue;
    taps[number] = tap;
    network.branches[changer.branch].ratio = ratio_at_tap(changer, tap);
    has_moved = true;
  }
  return has_moved;
}

}  // namespace wattloop::electrical
