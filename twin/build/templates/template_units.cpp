// The units in the racks: one group for every sort of unit that a node lists, one station for every rack.

#include <algorithm>
#include <cstdint>
#include <span>

#include <fmt/format.h>

#include "physics/fluids/fluid.hpp"
#include "twin/build/templates/templates.hpp"
#include "twin/units/catalog.hpp"

namespace wattloop::twin {

namespace {

std::span<const RackPart> racks_of(const ItEquipment& it, const RackGroup& group) {
  return std::span(it.racks).subspan(group.first_rack, group.rack_count);
}

std::vector<std::string> unit_names(const ItEquipment& it, const RackGroup& group, const NodeUnits& units) {
  std::vector<std::string> names;
  for (const RackPart& rack : racks_of(it, group)) {
    for (std::size_t node = 0; node < group.nodes_per_rack; ++node) {
      for (int unit = 0; unit < units.count; ++unit) {
        names.push_back(fmt::format("{}.node_{}.{}_{}", rack.name, node + 1, units.name, unit + 1));
      }
    }
  }
  return names;
}

PortWiring join_port(const Diagram& diagram, std::size_t rack, const NodeUnits& units, Medium medium) {
  const RackPlace& place = diagram.rack_places[rack];
  const double units_per_rack = static_cast<double>(units.count) * static_cast<double>(diagram.it.nodes_in(rack));
  if (medium == Medium::liquid) {
    return {temperature_of(place.supply), code_of(place.coolant), units.liquid_share_fraction / units_per_rack,
            place.coolant_j_per_kg_k, heat_of(place.back)};
  }
  return {temperature_of(place.cold_aisle), code_of(InputId{diagram.it.racks[rack].airflow_input}),
          units.air_share_fraction / units_per_rack, physics::air_specific_heat_j_per_kg_k, heat_of(place.exhaust)};
}

std::vector<Station> make_stations(const Diagram& diagram, const RackGroup& group, const NodeUnits& units) {
  const std::size_t units_per_rack = static_cast<std::size_t>(units.count) * group.nodes_per_rack;
  std::vector<Station> stations;
  for (std::size_t rack = group.first_rack; rack < group.first_rack + group.rack_count; ++rack) {
    Station station{
        stations.size() * units_per_rack, units_per_rack, code_of(Region::load, diagram.it.racks[rack].load), {}};
    for (const Medium medium : find_unit_kind(units.spec.kind)->ports) {
      station.ports.push_back(join_port(diagram, rack, units, medium));
    }
    stations.push_back(std::move(station));
  }
  return stations;
}

/// Parameters of the units as this run needs them: none add leakage to watts that contain it already.
std::any effective_params(const workload::WattsContain& watts, const UnitSpec& spec) {
  std::any params = spec.params;
  if (!watts.leakage) return params;
  for (const FieldRef& field : find_unit_kind(spec.kind)->fields(params)) {
    if (field.info.name == "leakage_slope") *std::get<double*>(field.target) = 0.0;
  }
  return params;
}

/// Whether units differ by their place in the node.
bool has_places(const UnitSpec& spec) {
  std::any params = spec.params;
  return std::ranges::any_of(find_unit_kind(spec.kind)->fields(params), [](const FieldRef& field) {
    return field.info.name == "front_gpus" && *std::get<double*>(field.target) > 0.0;
  });
}

/// Classes of units that differ by their place alone.
UnitClasses classes_by_place(std::span<const Station> stations) {
  UnitClasses classes;
  classes.variations.resize(UnitClasses::most_classes);
  for (const Station& station : stations) {
    for (std::size_t unit = 0; unit < station.unit_count; ++unit) {
      classes.pattern_of_unit.push_back(UnitClasses::pattern_count);
      classes.class_of_unit.push_back(
          static_cast<std::uint8_t>(UnitClasses::pattern_count * lane_count + unit % lane_count));
    }
  }
  return classes;
}

/// `input`: of the load of the first unit; moves on behind the last.
void add_units_of(Diagram& diagram, const Scenario& scenario, std::size_t number, std::size_t& input) {
  RackGroup& group = diagram.it.groups[number];
  const RacksSpec& racks = scenario.racks[number];
  for (const NodeUnits& units : racks.hardware.units) {
    DeclaredUnits declared{.name = units.name,
                           .kind = units.spec.kind,
                           .params = effective_params(contents_of(scenario, racks), units.spec),
                           .unit_names = unit_names(diagram.it, group, units),
                           .stations = make_stations(diagram, group, units)};
    const NodeLoads loads{input, static_cast<std::size_t>(units.count)};
    input += declared.unit_names.size();
    if (units.name == "gpu") {
      declared.classes = make_unit_classes(racks.gpu_spread, scenario.seed, declared.stations);
      if (declared.classes.are_alike() && has_places(units.spec))
        declared.classes = classes_by_place(declared.stations);
      group.gpu_units = diagram.units.size();
      group.gpu_loads = loads;
    } else if (units.name == supplies_name) {
      group.supply_loads = loads;
    } else {
      group.rest_loads.push_back(loads);
    }
    diagram.units.push_back(std::move(declared));
  }
}

}  // namespace

void add_units(Diagram& diagram, const Scenario& scenario) {
  std::size_t input = diagram.inputs.size();  // loads of units come after all others
  for (std::size_t group = 0; group < diagram.it.groups.size(); ++group) add_units_of(diagram, scenario, group, input);
}

}  // namespace wattloop::twin
