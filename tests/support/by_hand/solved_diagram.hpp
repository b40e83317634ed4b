// A one-line diagram with its loads, solved by sweeps or by Newton's method; feeders of the reference data as such diagrams.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "electrical/mesh_voltages.hpp"
#include "electrical/one_line.hpp"
#include "tests/support/by_hand/feeder_case.hpp"

namespace wattloop::tests {

using namespace electrical;  // NOLINT

inline Branch line_of(const std::string& name, const std::string& from, const std::string& to, double resistance_ohm,
                      double reactance_ohm, double voltage_v) {
  return {.name = name,
          .from = from,
          .to = to,
          .equipment = Cable::Params{.rated_a = 1000.0,
                                     .voltage_v = voltage_v,
                                     .resistance_ohm_per_m = resistance_ohm,
                                     .reactance_ohm_per_m = reactance_ohm,
                                     .length_m = 1.0}};
}

/// A diagram, its loads, and what comes of them.
struct SolvedDiagram {
  explicit SolvedDiagram(const OneLineDiagram& diagram, const std::vector<Complex>& load_va)
      : tree(build_power_tree(diagram)), switches(normal_switch_state(tree)), flow(make_power_flow(tree)) {
    std::vector<double> tangent;
    for (const Complex& load : load_va) {
      load_w.push_back(load.real());
      tangent.push_back(load.real() != 0.0 ? load.imag() / load.real() : 0.0);
    }
    model = make_voltage_model(tree, std::move(tangent));
  }

  FlowEnd settle_meshed() {
    MeshVoltages mesh(tree, model);
    mesh.take_switches(switches);
    return mesh.settle({load_w, {}}, switches, flow, voltages);
  }
  FlowEnd settle() { return electrical::settle(tree, model, {load_w, {}}, switches, flow, voltages); }
  std::size_t bus(const std::string& name) const {
    return static_cast<std::size_t>(std::ranges::find(tree.bus_name, name) - tree.bus_name.begin());
  }

  double ratio(const std::string& name) const { return std::abs(voltages.bus[bus(name)]); }
  std::size_t branch(const std::string& name) const { return *find_branch(tree, name); }

  PowerTree tree;
  SwitchState switches;
  PowerFlow flow;
  std::vector<double> load_w;
  VoltageModel model;
  TreeVoltages voltages;
};

/// Cables both ways, so that the tree finds which way power goes.
inline OneLineDiagram diagram_of(const FeederCase& feeder) {
  OneLineDiagram diagram;
  const double voltage_v = feeder.network.buses.front().nominal_v;
  for (const AcBus& bus : feeder.network.buses) diagram.buses.push_back({"bus_" + bus.name, voltage_v});
  for (const AcSource& source : feeder.network.sources)
    diagram.sources.push_back({.name = "grid", .bus = "bus_" + feeder.network.buses[source.bus].name});
  for (const AcBranch& branch : feeder.network.branches) {
    diagram.branches.push_back(line_of("cable_" + branch.name, "bus_" + feeder.network.buses[branch.from].name,
                                       "bus_" + feeder.network.buses[branch.to].name, branch.resistance_ohm,
                                       branch.reactance_ohm, voltage_v));
    diagram.branches.back().goes_both_ways = true;
    diagram.branches.back().normally_closed = branch.is_closed;
  }
  for (std::size_t load = 0; load < feeder.network.loads.size(); ++load)
    diagram.loads.push_back(
        {"load_" + std::to_string(load), {"bus_" + feeder.network.buses[feeder.network.loads[load].bus].name}});
  return diagram;
}

}  // namespace wattloop::tests
