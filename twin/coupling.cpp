#include "twin/coupling.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

namespace wattloop::twin {

namespace {

/// Air through a rack whose fans stand, over that with fans: 0.1 Pa of buoyancy, a few kelvin over the height of a rack,
/// against 250 Pa of fans, with a resistance that follows the square of the flow [engineering_estimate].
constexpr double natural_draught_fraction = 0.02;

bool has_power(const Plant& plant, const PlantState& state, std::size_t node) {
  const RackPart& rack = plant.hall.racks[node / plant.hall.nodes_per_rack];
  return electrical::is_served(state.switches, rack.load) && state.work.is_shut_down[node] == 0;
}

std::size_t load_input(const Plant& plant, std::size_t group, std::size_t unit) {
  return plant.groups[group]->first_load - plant.map.input(0) + unit;
}

/// Shares the load of a node's rest evenly among the units of its rest groups.
void set_rest_load(const Plant& plant, std::size_t node, double rest_w, PlantState& state) {
  std::size_t units = 0;
  for (const std::size_t g : plant.hall.rest_groups) units += plant.groups[g]->count() / plant.hall.node_count();
  for (const std::size_t g : plant.hall.rest_groups) {
    const std::size_t per_node = plant.groups[g]->count() / plant.hall.node_count();
    for (std::size_t k = 0; k < per_node; ++k) {
      state.inputs[load_input(plant, g, node * per_node + k)] = rest_w / static_cast<double>(units);
    }
  }
}

EventRecord die_event(const Plant& plant, const PlantState& state, std::size_t gpu, const char* kind, double die_k) {
  return {state.time_s, kind, plant.groups[plant.hall.gpu_group]->unit_names[gpu],
          fmt::format("die at {:.2f} degC", die_k - 273.15)};
}

/// Switches off the node of `gpu`, which has become too hot.
void shut_down(const Plant& plant, PlantState& state, std::size_t gpu, std::vector<EventRecord>& events) {
  const std::size_t per_node = plant.hall.gpus_per_node;
  const std::size_t host = gpu / per_node;
  const double die_k = state.states[plant.groups[plant.hall.gpu_group]->state_slot(0, gpu)];
  state.work.is_shut_down[host] = 1;
  std::fill_n(state.work.clock_fraction.begin() + static_cast<std::ptrdiff_t>(host * per_node), per_node, 0.0);
  events.push_back(die_event(plant, state, gpu, "thermal_shutdown", die_k));
}

}  // namespace

void ask_for_work(const workload::Workload& workload, PlantState& state) {
  workload.sample(state.time_s, state.work.asked_gpu_w, state.work.asked_node_w);
}

bool protect_gpus(const Plant& plant, const NodeCoupling& node, PlantState& state, std::vector<EventRecord>& events) {
  if (!node.protection.is_enabled) return false;
  const UnitGroup& gpus = *plant.groups[plant.hall.gpu_group];
  const auto die_k = [&](std::size_t gpu) { return state.states[gpus.state_slot(0, gpu)]; };
  WorkState& work = state.work;
  bool changed = false;
  std::size_t hottest = 0;
  for (std::size_t gpu = 0; gpu < gpus.count(); ++gpu) {
    const std::size_t host = gpu / plant.hall.gpus_per_node;
    if (work.is_shut_down[host] != 0) continue;
    if (die_k(gpu) > die_k(hottest)) hottest = gpu;
    const double clock = workload::clock_fraction(node.protection, die_k(gpu));
    changed = changed || clock != work.clock_fraction[gpu];
    work.clock_fraction[gpu] = clock;
    if (clock == 0.0) shut_down(plant, state, gpu, events);
  }
  if (!work.has_throttled && work.clock_fraction[hottest] < 1.0) {
    work.has_throttled = true;
    work.first_throttle_s = state.time_s;
    events.push_back(die_event(plant, state, hottest, "first_throttle", die_k(hottest)));
  }
  return changed;
}

void drive_fans(const Plant& plant, PlantState& state) {
  const HallParts& hall = plant.hall;
  const auto drive = [&](std::size_t airflow_input, bool is_on) {
    state.inputs[airflow_input] = plant.initial_inputs[airflow_input] * (is_on ? 1.0 : natural_draught_fraction);
  };
  for (std::size_t r = 0; r < hall.racks.size(); ++r) {
    bool is_on = false;
    for (std::size_t n = 0; n < hall.nodes_per_rack; ++n) is_on = is_on || has_power(plant, state, r * hall.nodes_per_rack + n);
    drive(hall.racks[r].airflow_input, is_on);
  }
  for (const NetworkRackPart& rack : hall.network_racks) {
    const bool is_on = electrical::is_served(state.switches, rack.load);
    state.inputs[rack.power_input] = is_on ? rack.switches_w : 0.0;
    drive(rack.airflow_input, is_on);
  }
}

std::size_t count_throttled(const Plant& plant, const PlantState& state) {
  std::size_t count = 0;
  for (std::size_t gpu = 0; gpu < state.work.clock_fraction.size(); ++gpu) {
    const bool is_on = state.work.is_shut_down[gpu / plant.hall.gpus_per_node] == 0;
    if (is_on && state.work.clock_fraction[gpu] < 1.0) ++count;
  }
  return count;
}

void apply_loads(const Plant& plant, const NodeCoupling& node, PlantState& state) {
  const std::size_t gpus = plant.hall.gpus_per_node;
  const WorkState& work = state.work;
  for (std::size_t host = 0; host < plant.hall.node_count(); ++host) {
    const bool is_on = has_power(plant, state, host);
    const double asked_dc_w = electrical::psu_output_w(node.psu, work.asked_node_w[host]);
    const auto asked = std::span(work.asked_gpu_w).subspan(host * gpus, gpus);
    const double asked_gpus_w = std::accumulate(asked.begin(), asked.end(), 0.0);
    const double available_ratio = asked_gpus_w > asked_dc_w ? asked_dc_w / asked_gpus_w : 1.0;
    double gpus_w = 0.0;
    for (std::size_t k = 0; k < gpus; ++k) {
      const double clock = work.clock_fraction[host * gpus + k];
      const double gpu_w =
          is_on ? workload::throttled_w(node.split.gpu_idle_w, asked[k] * available_ratio, clock) : 0.0;
      state.inputs[load_input(plant, plant.hall.gpu_group, host * gpus + k)] = gpu_w;
      gpus_w += gpu_w;
    }
    const double rest_dc_w = std::max(asked_dc_w - asked_gpus_w, 0.0);
    const double rest_w = is_on ? electrical::psu_input_w(node.psu, gpus_w + rest_dc_w) - gpus_w : 0.0;
    set_rest_load(plant, host, rest_w, state);
  }
}

}  // namespace wattloop::twin
