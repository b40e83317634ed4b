#include "twin/actions/node_fans.hpp"

#include <algorithm>
#include <cmath>

#include "twin/actions/node_states.hpp"

namespace wattloop::twin {

NodeFans::NodeFans(const Plant& plant, const NodeCouplings& nodes)
    : plant_(plant), nodes_(nodes), inlet_signals_(inlet_air_signals(plant)) {}

bool NodeFans::act(std::span<const RackDigest> racks, double interval_s, PlantState& state) const {
  bool has_changed = false;
  for (std::size_t rack = 0; rack < racks.size(); ++rack) {
    const RackPart& part = plant_.it.racks[rack];
    const auto& fans = nodes_[part.group].fans;
    if (!fans || !electrical::is_served(state.switches, part.load)) continue;
    const std::size_t signal = inlet_signals_[rack];
    const double inlet_k =
        signal < plant_.map.state_count ? state.states[signal] : state.inputs[signal - plant_.map.input(0)];
    double& wanted = state.work.wanted_fan_fraction[rack];
    wanted = workload::next_speed(*fans, wanted, inlet_k, racks[rack].hottest_k, interval_s);
    double& now = state.work.fan_fraction[rack];
    if (std::abs(wanted - now) < step_fraction) continue;  // no hunting between two steps
    now = std::max(step_fraction * std::round(wanted / step_fraction), fans->lowest_speed_fraction);
    has_changed = true;
  }
  return has_changed;
}

}  // namespace wattloop::twin
