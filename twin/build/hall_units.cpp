// The units in the racks: one group for every sort of unit that a node lists, one station for every rack.

#include <algorithm>

#include <fmt/format.h>

#include "twin/plant/plant_draft.hpp"
#include "twin/units/catalog.hpp"

namespace wattloop::twin {

namespace {

std::vector<std::string> unit_names(const HallParts& hall, const NodeUnits& units) {
  std::vector<std::string> names;
  for (const RackPart& rack : hall.racks) {
    for (std::size_t node = 0; node < hall.nodes_per_rack; ++node) {
      for (int unit = 0; unit < units.count; ++unit) {
        names.push_back(fmt::format("{}.node_{}.{}_{}", rack.name, node + 1, units.name, unit + 1));
      }
    }
  }
  return names;
}

PortWiring wire_port(const PlantDraft& draft, const RackPart& rack, const NodeUnits& units, Medium medium) {
  const Plant& plant = draft.plant;
  const HallParts& hall = plant.hall;
  const double units_per_rack = static_cast<double>(units.count) * static_cast<double>(hall.nodes_per_rack);
  if (medium == Medium::liquid) {
    const LoopPart& loop = hall.loops[rack.loop];
    return {draft.temperature(rack.supply_node), plant.map.flow(loop.rack_flow),
            units.liquid_share_fraction / units_per_rack, loop.specific_heat_j_per_kg_k, draft.heat(rack.return_node)};
  }
  return {draft.temperature(hall.rows[rack.row].cold_node), plant.map.input(rack.airflow_input),
          units.air_share_fraction / units_per_rack, hall.air_specific_heat_j_per_kg_k, draft.heat(rack.exhaust_node)};
}

std::vector<Station> make_stations(const PlantDraft& draft, const NodeUnits& units) {
  const HallParts& hall = draft.plant.hall;
  const std::size_t units_per_rack = static_cast<std::size_t>(units.count) * hall.nodes_per_rack;
  std::vector<Station> stations;
  for (const RackPart& rack : hall.racks) {
    Station station{stations.size() * units_per_rack, units_per_rack, draft.plant.map.load(rack.load), {}};
    for (const Medium medium : find_unit_kind(units.spec.kind)->ports) {
      station.ports.push_back(wire_port(draft, rack, units, medium));
    }
    stations.push_back(std::move(station));
  }
  return stations;
}

/// Parameters of the units as this run needs them: watts measured at a node's inlet, or fixed there, already contain
/// leakage, so that only a training job adds it, and a replay that asks for it.
std::any effective_params(const Scenario& scenario, const UnitSpec& spec) {
  std::any params = spec.params;
  const WorkloadSpec& workload = scenario.workload;
  const bool is_replay_with_leakage = workload.kind == WorkloadSpec::Kind::replay && workload.replay_leakage;
  if (workload.kind == WorkloadSpec::Kind::training || is_replay_with_leakage) return params;
  for (const FieldRef& field : find_unit_kind(spec.kind)->fields(params)) {
    if (field.info.name == "leakage_slope") *std::get<double*>(field.target) = 0.0;
  }
  return params;
}

}  // namespace

void declare_units(PlantDraft& draft) {
  Plant& plant = draft.plant;
  for (const NodeUnits& units : draft.scenario.racks.hardware.units) {
    const std::vector<std::string> names = unit_names(plant.hall, units);
    for (const StateInfo& info : find_unit_kind(units.spec.kind)->states) {
      plant.layout.add_column(names, info);
      draft.heat_capacity.resize(plant.layout.size(), 1.0);
    }
    for (const std::string& name : names) draft.declare_input(name + ".load", 0.0);
  }
}

void wire_units(PlantDraft& draft) {
  Plant& plant = draft.plant;
  std::size_t state = plant.map.state_count;
  std::size_t input = plant.map.input_count;
  const auto& sorts = draft.scenario.racks.hardware.units;
  for (const NodeUnits& units : sorts) {  // the last that were declared
    const std::size_t count = plant.hall.node_count() * static_cast<std::size_t>(units.count);
    state -= count * find_unit_kind(units.spec.kind)->states.size();
    input -= count;
  }
  plant.map.first_unit_state = state;
  plant.map.first_unit_input = input;
  for (const NodeUnits& units : sorts) {
    const UnitKind& kind = *find_unit_kind(units.spec.kind);
    std::vector<Station> stations = make_stations(draft, units);
    const Scenario& scenario = draft.scenario;
    UnitClasses classes;
    if (units.name == "gpu") classes = make_unit_classes(scenario.racks.gpu_spread, scenario.seed, stations);
    auto group = kind.make_group(effective_params(scenario, units.spec), units.name, unit_names(plant.hall, units),
                                 std::move(stations), std::move(classes));
    group->first_state = state;
    group->first_load = plant.map.input(input);
    const NodeLoads loads{input, static_cast<std::size_t>(units.count)};
    state += group->count() * kind.states.size();
    input += group->count();
    if (units.name == "gpu") {
      plant.hall.gpu_group = plant.groups.size();
      plant.hall.gpus_per_node = loads.per_node;
      plant.hall.gpu_loads = loads;
    } else if (units.name == supplies_name) {
      plant.hall.supply_loads = loads;
    } else {
      plant.hall.rest_loads.push_back(loads);
    }
    plant.groups.push_back(std::move(group));
  }
}

}  // namespace wattloop::twin
