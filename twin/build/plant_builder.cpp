#include "twin/build/plant_builder.hpp"

#include <memory>
#include <utility>

#include "physics/advection.hpp"
#include "twin/build/coolant_graph.hpp"
#include "twin/plant/plant_draft.hpp"

namespace wattloop::twin {

PlantDraft::PlantDraft(const Scenario& from) : scenario(from) {
  for (const PartKind& kind : part_kinds()) parts.push_back(kind.make_set());
}

std::size_t PlantDraft::declare_state(const std::string& component, const StateInfo& info) {
  heat_capacity.push_back(1.0);
  return plant.layout.add(component, info);
}

std::size_t PlantDraft::declare_node(const std::string& name, double heat_capacity_j_per_k, double typical_k) {
  const std::size_t state = declare_state(name, {"temperature", "K", typical_k, 1e-2});
  heat_capacity[state] = heat_capacity_j_per_k;
  plant.nodes.push_back({name, heat_capacity_j_per_k, state, state});
  boundary_input.push_back(0);
  return plant.nodes.size() - 1;
}

std::size_t PlantDraft::declare_boundary(const std::string& name, std::size_t temperature_input) {
  const std::size_t meter = declare_meter(name + ".heat");
  plant.meters.boundaries.push_back(meter);
  plant.nodes.push_back({name, 0.0, 0, meter});
  boundary_input.push_back(temperature_input);
  return plant.nodes.size() - 1;
}

std::size_t PlantDraft::declare_meter(const std::string& name, std::string_view unit) {
  return declare_state(name, {meter_state_name, unit, 0.0, 1.0});
}

std::size_t PlantDraft::declare_input(const std::string& name, double value) {
  plant.input_names.push_back(name);
  plant.initial_inputs.push_back(value);
  return plant.map.input_count++;
}

std::size_t PlantDraft::declare_setting(const std::string& component, std::string_view name, std::string_view unit,
                                        double value) {
  const std::string whole = component + "." + std::string(name);
  const std::size_t input = declare_input(whole, value);
  plant.hall.settings.push_back({whole, input, unit});
  return input;
}

std::size_t PlantDraft::declare_load(LoadUse use) {
  plant.load_use.push_back(use);
  return plant.map.load_count++;
}

std::size_t PlantDraft::declare_motor(const std::string& name, LoadUse use, const StateInfo& speed) {
  plant.hall.motors.push_back({.name = name,
                               .speed_state = declare_state(name, speed),
                               .command_input = declare_input(name + ".command", 0.0),
                               .load = declare_load(use)});
  return plant.hall.motors.size() - 1;
}

DoorFanPart PlantDraft::declare_door_fans(const std::string& rack) {
  if (scenario.cooling.doors.door.fan_power_w <= 0.0) return {};
  const std::size_t load = declare_load(LoadUse::rear_door_fan);
  return {.load = load, .command_input = declare_input(rack + ".door_fans.command", 1.0)};
}

void PlantDraft::fix_signals() {
  plant.map.state_count = plant.layout.size();
  for (std::size_t node = 0; node < plant.nodes.size(); ++node) {
    if (plant.nodes[node].is_boundary()) plant.nodes[node].temperature_signal = plant.map.input(boundary_input[node]);
  }
}

void PlantDraft::link(const std::string& name, std::size_t from, std::size_t to, std::size_t flow_signal,
                      double specific_heat_j_per_kg_k) {
  plant.links.push_back({name, from, to, flow_signal, specific_heat_j_per_kg_k});
  add<physics::Advection>({specific_heat_j_per_kg_k},
                          {.from = body(from), .to = body(to), .flow_kg_per_s = as_number(flow_signal)},
                          {.to = heat_into(to), .from = heat_into(from)});
}

Plant build_plant(const Scenario& scenario) {
  PlantDraft draft(scenario);
  declare_hall(draft);
  declare_power(draft);
  declare_units(draft);
  check_coolant_graph(draft.plant.hall, scenario);
  draft.fix_signals();
  wire_hall(draft);
  wire_units(draft);
  draft.flows.first_flow = draft.plant.map.flow(0);
  draft.flows.flow_count = draft.plant.map.flow_count;
  draft.plant.flows = FlowModel(std::move(draft.flows));

  Plant plant = std::move(draft.plant);
  plant.components = std::move(draft.parts);
  plant.rate_per_sink.reserve(plant.map.state_count);
  for (const double capacity : draft.heat_capacity) plant.rate_per_sink.push_back(1.0 / capacity);
  return plant;
}

}  // namespace wattloop::twin
