// A plant while it is being built: first everything is declared (nodes, states, flows, inputs, loads), then, with the
// sizes known, components are wired to signals and sinks.
#pragma once

#include <any>
#include <memory>
#include <string>
#include <vector>

#include "core/part.hpp"
#include "electrical/one_line.hpp"
#include "twin/plant/part_catalog.hpp"
#include "twin/plant/plant.hpp"
#include "twin/scenario/scenario.hpp"

namespace wattloop::twin {

/// The number of a signal or sink, as structs of parts hold it.
inline double as_number(std::size_t signal_or_sink) { return static_cast<double>(signal_or_sink); }

struct PlantDraft {
  explicit PlantDraft(const Scenario& from);

  const Scenario& scenario;
  Plant plant;
  std::vector<std::size_t> boundary_input;  ///< [node] input that holds its temperature; for boundaries
  std::vector<double> heat_capacity;        ///< [state] of nodes, 1 for other states

  // Declaring; each returns the number of what it declares.
  std::size_t declare_state(const std::string& component, const StateInfo& info);
  /// The states of a part, one after the other; returns the first.
  template <Part K>
  std::size_t declare_states(const std::string& part, const typename K::State& typical = typical_state<K>());
  std::size_t declare_node(const std::string& name, double heat_capacity_j_per_k, double typical_k);
  std::size_t declare_boundary(const std::string& name, std::size_t temperature_input);
  std::size_t declare_meter(const std::string& name, std::string_view unit = "J");
  std::size_t declare_input(const std::string& name, double value);
  /// An input that events may set: "loop_1.supply_temperature".
  std::size_t declare_setting(const std::string& component, std::string_view name, std::string_view unit, double value);
  /// The same, as the kind of a part calls it.
  template <Part K>
  std::size_t declare_setting(const std::string& component, double K::Now::*member, double value) {
    const Setting<K> setting = setting_info<K>(member);
    return declare_setting(component, setting.name, setting.unit, value);
  }
  std::size_t declare_flow() { return plant.map.flow_count++; }
  std::size_t declare_load(LoadUse use);
  /// A motor with its speed, command and load.
  std::size_t declare_motor(const std::string& name, LoadUse use, const StateInfo& speed);
  /// The fans of a rack's door, with their command and load; nothing for a passive door.
  DoorFanPart declare_door_fans(const std::string& rack);

  /// Ends declaring: fixes the regions of signals and sinks.
  void fix_signals();

  // Wiring. What parts are connected to is said in their own structs: of `Now` numbers of signals, and values of what is
  // given; of `Effect` numbers of sinks.
  template <Part K>
  requires(!HasColumns<K>) void add(const typename K::Params& params, const typename K::Now& seen,
                                    const typename K::Effect& done) {
    const auto from = numbers_in(seen);
    const auto to = numbers_in(done);
    parts[part_kind_number(K::kind)]->add({.params = params, .seen = from, .done = to});
  }
  /// A part of which something is told, with what only that reads.
  template <Part K>
  requires HasColumns<K>
  void add(const std::string& name, const typename K::Params& params, const typename K::Now& seen,
           const typename K::Effect& done, const typename ShownOf<K>::type& shown = {}) {
    const auto from = numbers_in(seen);
    const auto to = numbers_in(done);
    const auto told = numbers_shown(shown);
    parts[part_kind_number(K::kind)]->add({.name = name, .params = params, .seen = from, .done = to, .shown = told});
  }
  std::size_t temperature(std::size_t node) const { return plant.nodes[node].temperature_signal; }
  std::size_t heat(std::size_t node) const { return plant.nodes[node].heat_sink; }
  /// A fluid that comes from `node`.
  template <PortMedium fluid>
  Inlet<fluid> inlet_from(std::size_t node, std::size_t flow_signal, double specific_heat_j_per_kg_k) const {
    return {as_number(temperature(node)), as_number(flow_signal), specific_heat_j_per_kg_k};
  }
  Body body(std::size_t node) const { return {as_number(temperature(node))}; }
  Motor order_of(const MotorPart& motor) const { return {as_number(plant.map.input(motor.command_input))}; }
  Power power_of(const MotorPart& motor) const { return {as_number(plant.map.load(motor.load))}; }
  Heat heat_into(std::size_t node) const { return {as_number(heat(node))}; }
  void link(const std::string& name, std::size_t from, std::size_t to, std::size_t flow_signal,
            double specific_heat_j_per_kg_k);

  std::vector<std::unique_ptr<PartSet>> parts;  ///< [kind of the catalog]
  FlowLaws flows;
};

template <Part K>
std::size_t PlantDraft::declare_states(const std::string& part, const typename K::State& typical) {
  const std::size_t first = plant.layout.size();
  const auto values = numbers_in(typical);
  for (std::size_t number = 0; number < values.size(); ++number) {
    for (StateOf<K> state : K::states()) {
      if (state.number != number) continue;
      state.info.typical = values[number];
      declare_state(part, state.info);
    }
  }
  return first;
}

/// Racks, technology loops with their CDUs, boundaries and meters (twin/build/hall_declaration.cpp, twin/build/hall_wiring.cpp).
void declare_hall(PlantDraft& draft);
void wire_hall(PlantDraft& draft);

/// Rooms, aisles and air handlers (twin/build/hall_air.cpp).
void declare_air(PlantDraft& draft);
void declare_air_handlers(PlantDraft& draft);
void wire_air(PlantDraft& draft);

/// Facility water with towers, chilled water with chillers (twin/build/hall_water.cpp).
void declare_water(PlantDraft& draft);
void wire_water(PlantDraft& draft);

/// Racks of switches (twin/build/hall_network.cpp). Their row must be the last of the hall's rows.
void declare_network(PlantDraft& draft);
void wire_network(PlantDraft& draft);

/// A rack of any sort: its air from the cold aisle through a rear door to the hot one.
struct RackAir {
  const std::string& name;
  const RowPart& row;
  std::size_t exhaust_node;
  std::size_t door_water_node;
  std::size_t airflow_input;
  DoorFanPart door_fans;
};
void wire_rack_air(PlantDraft& draft, const RackAir& rack);

/// Air between the nodes of a rack and its door, J/K.
double rack_exhaust_j_per_k(const HallParts& hall);
/// Water in the coil of a door, J/K.
double door_water_j_per_k(const PlantDraft& draft);
/// Heat capacity of water in a system of that volume, J/K; the density is that at 20 degC.
double water_heat_capacity_j_per_k(double volume_m3);

/// Makes the groups of units in the racks (twin/build/hall_units.cpp). Declares their states and load inputs.
void declare_units(PlantDraft& draft);
void wire_units(PlantDraft& draft);

/// The one-line diagram of the hall: loads in the order in which they were declared (twin/build/hall_power.cpp).
electrical::OneLineDiagram hall_one_line(const PlantDraft& draft);

/// Builds the power tree of all loads declared so far, and declares its batteries, guards and generators.
void declare_power(PlantDraft& draft);

}  // namespace wattloop::twin
