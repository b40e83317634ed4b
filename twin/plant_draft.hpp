// A plant while it is being built: first everything is declared (nodes, states, flows, inputs, loads), then, with the
// sizes known, components are wired to signals and sinks.
#pragma once

#include <string>
#include <vector>

#include "electrical/one_line.hpp"
#include "twin/components.hpp"
#include "twin/plant.hpp"
#include "twin/scenario.hpp"

namespace wattloop::twin {

struct PlantDraft {
  explicit PlantDraft(const Scenario& from) : scenario(from) {}

  const Scenario& scenario;
  Plant plant;
  std::vector<std::size_t> boundary_input;  ///< [node] input that holds its temperature; for boundaries
  std::vector<double> heat_capacity;        ///< [state] of nodes, 1 for other states

  // Declaring; each returns the number of what it declares.
  std::size_t declare_state(const std::string& component, const StateInfo& info);
  std::size_t declare_node(const std::string& name, double heat_capacity_j_per_k, double typical_k);
  std::size_t declare_boundary(const std::string& name, std::size_t temperature_input);
  std::size_t declare_meter(const std::string& name);
  std::size_t declare_input(const std::string& name, double value);
  std::size_t declare_flow() { return plant.map.flow_count++; }
  std::size_t declare_load(LoadUse use);
  /// A motor with its speed, command and load.
  std::size_t declare_motor(const std::string& name, LoadUse use);

  /// Ends declaring: fixes the regions of signals and sinks.
  void fix_signals();

  // Wiring.
  std::size_t temperature(std::size_t node) const { return plant.nodes[node].temperature_signal; }
  std::size_t heat(std::size_t node) const { return plant.nodes[node].heat_sink; }
  void link(const std::string& name, std::size_t from, std::size_t to, std::size_t flow_signal,
            double specific_heat_j_per_kg_k);

  ComponentSetOf<Advection> advections;
  ComponentSetOf<CduExchanger> exchangers;
  ComponentSetOf<SupplyTemperatureControl> controls;
  ComponentSetOf<CoolantPump> pumps;
  ComponentSetOf<RearDoorCoil> doors;
};

/// Declares all parts of the hall that the scenario describes (twin/hall_declaration.cpp).
void declare_hall(PlantDraft& draft);

/// Connects what was declared: links, exchangers, controls, flows (twin/hall_wiring.cpp).
void wire_hall(PlantDraft& draft);

/// Makes the groups of units in the racks (twin/hall_units.cpp). Declares their states and load inputs.
void declare_units(PlantDraft& draft);
void wire_units(PlantDraft& draft);

/// The one-line diagram of the hall: loads in the order in which they were declared (twin/hall_power.cpp).
electrical::OneLineDiagram hall_one_line(const PlantDraft& draft);

/// Builds the power tree of all loads declared so far, and declares its batteries, guards and generators.
void declare_power(PlantDraft& draft);

}  // namespace wattloop::twin
