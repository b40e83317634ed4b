#include "twin/actions/work/node_fans.hpp"

#include <algorithm>
#include <cmath>

#include "physics/fluids/fluid.hpp"
#include "twin/actions/work/node_states.hpp"

namespace wattloop::twin {

NodeFans::NodeFans(const Plant& plant, const NodeCouplings& nodes)
    : plant_(plant), nodes_(nodes), inlet_signals_(inlet_air_signals(plant)) {}

double NodeFans::full_speed_rise_k(const RackPart& rack, const RackDigest& digest) const {
  const NodeCoupling& node = nodes_[rack.group];
  const auto count = static_cast<double>(plant_.it.groups[rack.group].nodes_per_rack);
  const double heat_w = count * (node.split.base_w - node.fan_w) + node.split.overhead_ratio * digest.gpu_power_w;
  return heat_w / (count * node.design_air_kg_per_s * physics::air_specific_heat_j_per_kg_k);
}

bool NodeFans::act(std::span<const RackDigest> racks, double interval_s, PlantState& state) const {
  bool has_changed = false;
  for (std::size_t rack = 0; rack < racks.size(); ++rack) {
    const RackPart& part = plant_.it.racks[rack];
    const auto& fans = nodes_[part.group].fans;
    const bool turn = fans && electrical::is_served(state.switches, part.load) && fan_speed_fraction(state, rack) > 0.0;
    if (!turn) continue;
    const std::size_t signal = inlet_signals_[rack];
    const double inlet_k =
        signal < plant_.map.state_count ? state.states[signal] : state.inputs[signal - plant_.map.input(0)];
    double& requested = state.work.requested_fan_fraction[rack];
    const double rise_k = fans->air_rise_k > 0.0 ? full_speed_rise_k(part, racks[rack]) : 0.0;
    requested = workload::next_speed(*fans, requested, inlet_k, racks[rack].hottest_k, interval_s, rise_k);
    double& now = state.work.fan_fraction[rack];
    if (std::abs(requested - now) < step_fraction) continue;  // no hunting between two steps
    now = std::max(step_fraction * std::round(requested / step_fraction), fans->lowest_speed_fraction);
    has_changed = true;
  }
  return has_changed;
}

}  // namespace wattloop::twin
