// Work to the watts of switches (twin/actions/work/coupling.hpp).

#include <algorithm>
#include <numeric>

#include "network/switch_power.hpp"
#include "twin/actions/weather/outdoors.hpp"
#include "twin/actions/weather/timeline.hpp"
#include "twin/actions/work/coupling.hpp"

namespace wattloop::twin {

namespace {

/// GPUs of a node at work draw more than this times their idle power: those of H100 draw 73 W idle, 134 W by the split of a
/// node that waits for its job, and 151 W at least in one [engineering_estimate].
constexpr double work_over_idle_ratio = 2.0;

struct NodeCount {
  std::size_t live = 0;     ///< with power, neither off nor booting
  std::size_t at_work = 0;  ///< of these
};

bool is_at_work(const RackGroup& group, const NodeCoupling& node, const PlantState& state, std::size_t number) {
  const NodeLoads& gpus = group.gpu_loads;
  const std::size_t first = gpus.first_input + (number - group.first_node) * gpus.per_node;
  const auto loads = std::span(state.inputs).subspan(first, gpus.per_node);
  const double idle_w = static_cast<double>(gpus.per_node) * node.split.gpu_idle_w;
  return std::accumulate(loads.begin(), loads.end(), 0.0) > work_over_idle_ratio * idle_w;
}

NodeCount count_nodes(const Plant& plant, const NodeCouplings& nodes, const PlantState& state) {
  const ItEquipment& it = plant.it;
  NodeCount count;
  for (std::size_t r = 0; r < it.racks.size(); ++r) {
    if (!electrical::is_served(state.switches, it.racks[r].load)) continue;
    const RackPart& rack = it.racks[r];
    for (std::size_t n = rack.first_node; n < rack.first_node + it.nodes_in(r); ++n) {
      if (state.work.node_is[n] != NodeIs::at_work) continue;
      ++count.live;
      if (is_at_work(it.groups[rack.group], nodes[rack.group], state, n)) ++count.at_work;
    }
  }
  return count;
}

}  // namespace

void load_fabric(const Plant& plant, const NodeCouplings& nodes, PlantState& state) {
  const ItEquipment& it = plant.it;
  if (it.network_racks.empty()) return;
  const NodeCount count = count_nodes(plant, nodes, state);
  // At other times samples of work begin within the windows of one integrator and end those of the other.
  if (is_multiple(state.time_s, weather_interval_s) || count.live != state.work.live_nodes) {
    state.work.live_nodes = count.live;
    state.work.fabric_share =
        it.node_count() == 0 ? 0.0 : static_cast<double>(count.at_work) / static_cast<double>(it.node_count());
  }
  const double switch_w = network::switch_power_w(it.switches, it.job_traffic_fraction * state.work.fabric_share);
  for (const NetworkRackPart& rack : it.network_racks) {
    const bool is_on = electrical::is_served(state.switches, rack.load);
    state.inputs[rack.power_input] = is_on ? rack.switches * switch_w : 0.0;
  }
}

}  // namespace wattloop::twin
