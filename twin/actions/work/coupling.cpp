#include "twin/actions/work/coupling.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace wattloop::twin {

namespace {

/// Air through a rack whose fans stand, over that with fans: 0.1 Pa of buoyancy, a few kelvin over the height of a rack,
/// against 250 Pa of fans, with a resistance that follows the square of the flow [engineering_estimate].
constexpr double natural_draught_fraction = 0.02;

struct NodeRange {
  std::size_t begin, end;
};

NodeRange nodes_of(const Plant& plant, std::size_t rack) {
  const std::size_t first = plant.it.racks[rack].first_node;
  return {first, first + plant.it.nodes_in(rack)};
}

struct GpuRange {
  std::size_t begin, end;
};

GpuRange gpus_of(const Plant& plant, std::size_t rack) {
  const std::size_t first = plant.it.racks[rack].first_gpu;
  return {first, first + plant.it.gpus_in(rack)};
}

/// Whether any node of a rack is served and on.
bool has_power(const Plant& plant, const PlantState& state, std::size_t rack) {
  const auto [first, last] = nodes_of(plant, rack);
  return electrical::is_served(state.switches, plant.it.racks[rack].load) &&
         std::ranges::any_of(std::span(state.work.node_is).subspan(first, last - first), is_switched_on);
}

/// Number of the node of a GPU of a rack, counted through the hall.
std::size_t host_of(const Plant& plant, std::size_t rack, std::size_t gpu) {
  return plant.it.racks[rack].first_node +
         (gpu - plant.it.racks[rack].first_gpu) / plant.it.group_of(rack).gpus_per_node;
}

/// GPUs of a rack below full clock, of nodes at work.
std::size_t throttled_in(const Plant& plant, std::size_t rack, const PlantState& state) {
  const auto [first, last] = gpus_of(plant, rack);
  std::size_t count = 0;
  for (std::size_t gpu = first; gpu < last; ++gpu) {
    const bool is_at_work = state.work.node_is[host_of(plant, rack, gpu)] == NodeIs::at_work;
    count += is_at_work && state.work.clock_fraction[gpu] < highest_clock_fraction(state, gpu) ? 1 : 0;
  }
  return count;
}

bool has_ever_throttled(const WorkState& work, std::size_t gpu) {
  return !work.gpu_first_throttle_s.empty() && !std::isnan(work.gpu_first_throttle_s[gpu]);
}

/// Whether its protection has switched a node off.
bool is_off(NodeIs node) { return node == NodeIs::off_by_die || node == NodeIs::off_by_inlet; }

std::size_t switched_off_in(const Plant& plant, std::size_t rack, const PlantState& state) {
  const auto [first, last] = nodes_of(plant, rack);
  const auto nodes = std::span(state.work.node_is).subspan(first, last - first);
  return static_cast<std::size_t>(std::ranges::count_if(nodes, is_off)) * plant.it.group_of(rack).gpus_per_node;
}

/// GPUs of nodes that are down: without power, switched off or booting.
std::size_t down_in(const Plant& plant, std::size_t rack, const PlantState& state) {
  const auto [first, last] = nodes_of(plant, rack);
  const auto nodes = std::span(state.work.node_is).subspan(first, last - first);
  const auto down =
      std::ranges::count_if(nodes, [](NodeIs node) { return node != NodeIs::at_work && node != NodeIs::idle; });
  return static_cast<std::size_t>(down) * plant.it.group_of(rack).gpus_per_node;
}

EventRecord die_event(const Plant& plant, double time_s, std::size_t gpu, const char* kind, double die_k) {
  return {time_s, kind, gpu_name(plant, gpu), fmt::format("die at {:.2f} degC", die_k - 273.15)};
}

double die_now_k(const RackNow& now, const PlantState& state, std::size_t gpu) {
  const RackGroup& group = now.group();
  return state.states[now.plant.groups[group.gpu_units]->state_slot(0, group.unit_of(gpu))];
}

/// Switches off the node of `gpu`, which has become too hot.
void shut_down(const RackNow& now, PlantState& state, std::size_t gpu, std::vector<EventRecord>& events) {
  const std::size_t per_node = now.group().gpus_per_node;
  const std::size_t host = host_of(now.plant, now.rack, gpu);
  const std::size_t first_gpu = gpu - (gpu - now.plant.it.racks[now.rack].first_gpu) % per_node;
  const double restart_after_s = now.node.protection.restart_after_s;
  state.work.node_is[host] = NodeIs::off_by_die;
  state.work.node_due_s[host] =
      restart_after_s > 0.0 ? now.time_s + restart_after_s : std::numeric_limits<double>::infinity();
  std::fill_n(state.work.clock_fraction.begin() + static_cast<std::ptrdiff_t>(first_gpu), per_node, 0.0);
  events.push_back(die_event(now.plant, now.time_s, gpu, "thermal_shutdown", die_now_k(now, state, gpu)));
}

}  // namespace

std::vector<RackRange> racks_asked_together(const ItEquipment& it) {
  std::vector<RackRange> ranges;
  for (const RackGroup& group : it.groups) {
    const std::size_t together = std::max<std::size_t>(workload::nodes_asked_together / group.nodes_per_rack, 1);
    for (std::size_t first = 0; first < group.rack_count; first += together)
      ranges.push_back({group.first_rack + first, std::min(together, group.rack_count - first)});
  }
  return ranges;
}

std::size_t switched_off_gpus(const Plant& plant, const PlantState& state) {
  std::size_t count = 0;
  for (std::size_t rack = 0; rack < plant.it.racks.size(); ++rack) count += switched_off_in(plant, rack, state);
  return count;
}

double allowed_clock(const RackNow& now, std::size_t gpu, const PlantState& state) {
  return std::min({workload::clock_fraction(now.node.protection, die_now_k(now, state, gpu)),
                   workload::clock_fraction(now.node.inlet_air, state.work.inlet_stage[now.rack]),
                   highest_clock_fraction(state, gpu)});
}

void note_restraint(const Plant& plant, std::size_t rack, PlantState& state) {
  const auto [first_node, last_node] = nodes_of(plant, rack);
  const auto [first_gpu, last_gpu] = gpus_of(plant, rack);
  const auto clocks = std::span<const double>(state.work.clock_fraction).subspan(first_gpu, last_gpu - first_gpu);
  bool are_at_work = true;  // and are to stay so
  for (std::size_t node = first_node; node < last_node; ++node)
    are_at_work = are_at_work && state.work.node_is[node] == NodeIs::at_work && !has_node_failed(state, node);
  state.work.is_restrained[rack] = are_at_work && has_full_clocks(clocks) ? 0 : 1;
}

RackFirmware protect_rack(const RackNow& now, const RackDigest& digest, PlantState& state,
                          std::vector<EventRecord>& events) {
  RackFirmware found;
  if (has_nothing_to_do(now.node.protection, digest)) return found;
  const RackGroup& group = now.group();
  const UnitGroup& gpus = *now.plant.groups[group.gpu_units];
  WorkState& work = state.work;
  const double by_inlet = workload::clock_fraction(now.node.inlet_air, work.inlet_stage[now.rack]);
  const auto [first_gpu, last_gpu] = gpus_of(now.plant, now.rack);
  for (std::size_t gpu = first_gpu; gpu < last_gpu; ++gpu) {
    const NodeIs host = work.node_is[host_of(now.plant, now.rack, gpu)];
    if (!is_switched_on(host)) continue;
    const double die_k = state.states[gpus.state_slot(0, group.unit_of(gpu))];
    const double by_die = workload::clock_fraction(now.node.protection, die_k);
    const double by_firmware = std::min(by_die, by_inlet);
    const double clock = std::min(by_firmware, highest_clock_fraction(state, gpu));
    found.has_changed = found.has_changed || clock != work.clock_fraction[gpu];
    if (by_firmware < 1.0 && host == NodeIs::at_work && !has_ever_throttled(work, gpu))
      found.first_throttled.push_back(gpu);
    work.clock_fraction[gpu] = clock;
    if (host == NodeIs::at_work && (!found.has_gpu || die_k > found.hottest_k)) {
      found.has_gpu = true;
      found.hottest_gpu = gpu;
      found.hottest_k = die_k;
      found.clock_fraction = by_firmware;
      found.is_limited_by_inlet = by_firmware < by_die;
    }
    if (by_die == 0.0) shut_down(now, state, gpu, events);
  }
  note_restraint(now.plant, now.rack, state);
  return found;
}

void note_first_throttle(const Plant& plant, std::span<const RackFirmware> racks, double time_s, PlantState& state,
                         std::vector<EventRecord>& events) {
  std::vector<double>& first_s = state.work.gpu_first_throttle_s;
  for (const RackFirmware& rack : racks) {
    for (const std::size_t gpu : rack.first_throttled) {
      if (first_s.empty()) first_s.assign(plant.it.gpu_count(), std::numeric_limits<double>::quiet_NaN());
      if (!has_ever_throttled(state.work, gpu)) first_s[gpu] = time_s;
    }
  }
  if (state.work.has_throttled) return;
  const RackFirmware* hottest = nullptr;
  for (const RackFirmware& rack : racks) {
    const bool is_throttled = rack.has_gpu && rack.clock_fraction < 1.0;
    if (is_throttled && (hottest == nullptr || rack.hottest_k > hottest->hottest_k)) hottest = &rack;
  }
  if (hottest == nullptr) return;
  state.work.has_throttled = true;
  state.work.first_throttle_s = time_s;
  events.push_back(die_event(plant, time_s, hottest->hottest_gpu, "first_throttle", hottest->hottest_k));
  if (hottest->is_limited_by_inlet) events.back().detail += ", clock limited by inlet air";
}

bool protect_gpus(const Plant& plant, const NodeCouplings& nodes, PlantState& state, std::span<RackDigest> racks,
                  std::vector<EventRecord>& events) {
  bool changed = false;
  std::vector<RackFirmware> throttled;
  for (std::size_t rack = 0; rack < plant.it.racks.size(); ++rack) {
    RackFirmware found = protect_rack({plant, nodes, rack, state.time_s}, racks[rack], state, events);
    if (found.has_changed) racks[rack] = digest_rack(plant, rack, state);
    changed = changed || found.has_changed;
    const bool is_first = !state.work.has_throttled && found.has_gpu && found.clock_fraction < 1.0;
    if (is_first || !found.first_throttled.empty()) throttled.push_back(std::move(found));
  }
  note_first_throttle(plant, throttled, state.time_s, state, events);
  return changed;
}

void drive_fans(const Plant& plant, PlantState& state) {
  const ItEquipment& it = plant.it;
  const auto drive = [&](std::size_t airflow_input, bool is_on, double speed_fraction = 1.0) {
    state.inputs[airflow_input] =
        plant.initial_inputs[airflow_input] * (is_on ? speed_fraction : natural_draught_fraction);
  };
  const auto drive_door = [&](const DoorFanPart& fans) {
    if (fans.load == no_part) return;
    state.inputs[fans.command_input] = electrical::is_served(state.switches, fans.load) ? 1.0 : 0.0;
  };
  for (std::size_t r = 0; r < it.racks.size(); ++r) {
    const double speed_fraction = fan_speed_fraction(state, r);
    drive(it.racks[r].airflow_input, has_power(plant, state, r) && speed_fraction > 0.0, speed_fraction);
    drive_door(it.racks[r].door_fans);
  }
  const auto drive_all = [&](const auto& racks) {
    for (const auto& rack : racks) {
      drive(rack.airflow_input, electrical::is_served(state.switches, rack.load));
      drive_door(rack.door_fans);
    }
  };
  drive_all(it.network_racks);
  drive_all(it.storage_racks);
}

RackDigest digest_rack(const Plant& plant, std::size_t rack, const PlantState& state) {
  const auto [first_gpu, last_gpu] = gpus_of(plant, rack);
  const RackGroup& group = plant.it.group_of(rack);
  const std::size_t first_die = plant.groups[group.gpu_units]->state_slot(0, group.unit_of(first_gpu));
  return digest_rack(plant, rack, state, digest_dies(std::span(state.states).subspan(first_die, last_gpu - first_gpu)));
}

RackDigest digest_rack(const Plant& plant, std::size_t rack, const PlantState& state, const DieDigest& dies) {
  RackDigest digest{.hottest_k = dies.hottest_k, .coolest_k = dies.coolest_k, .sum_die_k = dies.sum_k};
  digest.gpus = plant.it.gpus_in(rack);
  digest.hottest_gpu = plant.it.racks[rack].first_gpu + dies.hottest;
  digest.has_full_clocks = state.work.is_restrained[rack] == 0;
  if (digest.has_full_clocks) return digest;
  digest.throttled_gpus = throttled_in(plant, rack, state);
  digest.shut_down_gpus = switched_off_in(plant, rack, state);
  digest.down_gpus = down_in(plant, rack, state);
  return digest;
}

void digest_racks(const Plant& plant, const PlantState& state, std::span<RackDigest> racks) {
  for (std::size_t rack = 0; rack < racks.size(); ++rack) {
    const double power_w = racks[rack].gpu_power_w;
    racks[rack] = digest_rack(plant, rack, state);
    racks[rack].gpu_power_w = power_w;
    racks[rack].capped_gpus = state.work.capped_gpus[rack];
  }
}

void take_set_watts(const RackNow& now, const workload::NodeWatts& asked, PlantState& state) {
  const RackGroup& group = now.group();
  const RackPart& rack = now.plant.it.racks[now.rack];
  double* load_w = state.inputs.data() + group.gpu_loads.first_input + rack.first_gpu - group.first_gpu;
  std::copy_n(state.work.set_gpu_w.data() + rack.first_gpu, group.gpus_per_rack(), load_w);
  for (std::size_t node = 0; node < group.nodes_per_rack; ++node) {
    asked.gpus_w[node] = sum_of(std::span(load_w + node * group.gpus_per_node, group.gpus_per_node));
    asked.ac_w[node] = workload::node_from_gpus_w(now.node.split, asked.gpus_w[node]);
  }
}

}  // namespace wattloop::twin
