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

/// Whether a node works whose work does not say what it sends.
bool is_at_other_work(const Plant& plant, const NodeCouplings& nodes, const PlantState& state, std::size_t rack,
                      std::size_t node) {
  const std::vector<std::uint8_t>& has_job = state.fabric.has_job;
  if (!has_job.empty() && has_job[node] != 0) return false;
  const RackPart& part = plant.it.racks[rack];
  return electrical::is_served(state.switches, part.load) && state.work.node_is[node] == NodeIs::at_work &&
         is_at_work(plant.it.groups[part.group], nodes[part.group], state, node);
}

/// [switch] load of ports over their bandwidth: of jobs, and the typical one of the share of nodes below that do other work.
std::vector<double> traffic_of_switches(const Plant& plant, const NodeCouplings& nodes, const PlantState& state) {
  const network::Fabric& fabric = plant.fabric->fabric;
  std::vector<std::uint8_t> is_busy(fabric.node_count(), 0);
  std::size_t busy = 0;
  for (std::size_t r = 0; r < plant.it.racks.size(); ++r) {
    const std::size_t first = plant.it.racks[r].first_node;
    for (std::size_t n = first; n < first + plant.it.nodes_in(r); ++n) {
      is_busy[n] = is_at_other_work(plant, nodes, state, r, n) ? 1 : 0;
      busy += is_busy[n];
    }
  }
  std::vector<double> traffic = state.fabric.job_traffic;
  traffic.resize(fabric.switch_count(), 0.0);
  if (busy == 0) return traffic;
  const double typical = plant.fabric->typical_fraction;
  const double of_all = static_cast<double>(busy) / static_cast<double>(fabric.node_count());
  for (std::size_t one = 0; one < fabric.switch_count(); ++one) {
    double busy_ports = 0.0, ports = 0.0;
    for (std::size_t i = fabric.first_down[one]; i < fabric.first_down[one + 1] && fabric.switch_tier[one] == 0; ++i) {
      const std::uint32_t node = fabric.link_lower[fabric.down_links[i]];
      if (node >= fabric.node_count()) continue;  // a fabric manager
      ports += 1.0;
      busy_ports += is_busy[node];
    }
    traffic[one] += typical * (fabric.switch_tier[one] == 0 && ports > 0.0 ? busy_ports / ports : of_all);
  }
  return traffic;
}

/// Watts of the racks of switches, and whether nodes whose work does not say what it sends are all as they were.
void load_modelled_fabric(const Plant& plant, const NodeCouplings& nodes, PlantState& state) {
  const ItEquipment& it = plant.it;
  FabricState& now = state.fabric;
  const bool has_others =
      now.has_job.empty() || std::ranges::any_of(now.has_job, [](std::uint8_t has) { return has == 0; });
  const std::size_t live = has_others ? count_nodes(plant, nodes, state).live : 0;
  const bool is_due = has_others && (is_multiple(state.time_s, weather_interval_s) || live != state.work.live_nodes);
  if (is_due || now.rack_w.empty()) {
    state.work.live_nodes = live;
    now.switch_traffic = traffic_of_switches(plant, nodes, state);
    const network::FabricHealth health = health_with(plant.fabric->fabric, now.losses);
    now.rack_w.assign(it.network_racks.size(), plant.fabric->counted_w);
    for (std::size_t one = 0; one < now.switch_traffic.size(); ++one) {
      if (health.is_failed[one] == 0)
        now.rack_w[plant.fabric->rack_of_switch(one)] += network::switch_power_w(it.switches, now.switch_traffic[one]);
    }
  }
  for (std::size_t rack = 0; rack < it.network_racks.size(); ++rack) {
    const NetworkRackPart& part = it.network_racks[rack];
    state.inputs[part.power_input] = electrical::is_served(state.switches, part.load) ? now.rack_w[rack] : 0.0;
  }
}

}  // namespace

void load_fabric(const Plant& plant, const NodeCouplings& nodes, PlantState& state) {
  const ItEquipment& it = plant.it;
  if (it.network_racks.empty()) return;
  if (plant.fabric) return load_modelled_fabric(plant, nodes, state);
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
