// The one-line diagram of the hall, for one side or for two alike, s = a, b:
//
//   utility_s -> [substation_s] -> transformer_s -> ups_s -> pdu_s_1 ... pdu_s_n
//                                      |
//   generator_s_1 ... generator_s_n  --+
//
// One side: racks have one cord, on `pdu_1` ... `pdu_n` in turn. Two sides: two cords, on the PDUs of one number. Fans of
// rear doors hang on the cords of their rack. Motors hang behind the UPS or on the low voltage before it; with two sides
// through a transfer switch, every other one preferring side b. Transformers and generators stand outdoors, a UPS in the
// electrical room of its side where the hall has one, PDUs in the hall.

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "electrical/electrical_catalog.hpp"
#include "twin/build/templates.hpp"
#include "twin/scenario/diagram_changes.hpp"

namespace wattloop::twin {

namespace {

using electrical::Load;
using electrical::OneLineDiagram;
using electrical::outdoors;
using electrical::Source;

constexpr int hall_room = 0;

std::vector<char> sides_of(const PowerSpec& spec) {
  return spec.sides() == 2 ? std::vector{'a', 'b'} : std::vector{'a'};
}

std::string utility_bus(char side) { return fmt::format("utility_{}.bus", side); }
std::string low_voltage_bus(char side) { return fmt::format("transformer_{}.output", side); }
std::string ups_bus(char side) { return fmt::format("ups_{}.output", side); }

std::string pdu_name(const PowerSpec& spec, char side, std::size_t index) {
  return spec.sides() == 2 ? fmt::format("pdu_{}_{}", side, index + 1) : fmt::format("pdu_{}", index + 1);
}

std::string generator_name(char side, int index) { return fmt::format("generator_{}_{}", side, index + 1); }

int room_of_ups(const std::vector<Room>& rooms, char side) {
  const auto room = std::ranges::find(rooms, fmt::format("electrical_room_{}", side), &Room::name);
  return room == rooms.end() ? hall_room : static_cast<int>(room - rooms.begin());
}

/// From the feed to the low voltage.
void add_supply(const PowerSpec& spec, char side, OneLineDiagram& diagram) {
  const std::string substation = fmt::format("substation_{}", side);
  const std::string substation_bus = substation + ".output";
  diagram.buses.push_back({utility_bus(side)});
  if (spec.has_substation) diagram.buses.push_back({substation_bus});
  diagram.buses.push_back({low_voltage_bus(side)});
  diagram.sources.push_back({.name = fmt::format("utility_{}", side), .bus = utility_bus(side)});
  if (spec.has_substation) {
    diagram.branches.push_back({.name = substation,
                                .from = utility_bus(side),
                                .to = substation_bus,
                                .equipment = electrical::Substation::Params{spec.substation},
                                .modules = 1,
                                .room = outdoors});
  }
  diagram.branches.push_back({.name = fmt::format("transformer_{}", side),
                              .from = spec.has_substation ? substation_bus : utility_bus(side),
                              .to = low_voltage_bus(side),
                              .equipment = spec.transformer,
                              .modules = spec.transformers,
                              .room = outdoors});
  const GeneratorsSpec& generators = spec.generators;
  for (int g = 0; generators.is_given && g < generators.count; ++g) {
    diagram.sources.push_back({.name = generator_name(side, g),
                               .bus = low_voltage_bus(side),
                               .equipment = generators.generator,
                               .normally_live = false});
  }
}

/// From the low voltage to the PDUs.
void add_protected(const PowerSpec& spec, const std::vector<Room>& rooms, char side, OneLineDiagram& diagram) {
  diagram.buses.push_back({ups_bus(side)});
  diagram.branches.push_back({.name = fmt::format("ups_{}", side),
                              .from = low_voltage_bus(side),
                              .to = ups_bus(side),
                              .equipment = spec.ups,
                              .modules = spec.ups_modules,
                              .room = room_of_ups(rooms, side)});
  for (std::size_t p = 0; p < static_cast<std::size_t>(spec.pdus); ++p) {
    const std::string name = pdu_name(spec, side, p);
    diagram.buses.push_back({name + ".output"});
    diagram.branches.push_back({.name = name,
                                .from = ups_bus(side),
                                .to = name + ".output",
                                .equipment = spec.pdu,
                                .modules = 1,
                                .room = hall_room});
  }
}

std::vector<std::string> rack_buses(const PowerSpec& spec, std::size_t rack) {
  std::vector<std::string> buses;
  for (const char side : sides_of(spec)) {
    buses.push_back(pdu_name(spec, side, rack % static_cast<std::size_t>(spec.pdus)) + ".output");
  }
  return buses;
}

std::vector<std::string> motor_buses(const PowerSpec& spec, const DeclaredLoad& load) {
  std::vector<std::string> buses;
  for (const char side : sides_of(spec))
    buses.push_back(load.at == SupplyPoint::ups ? ups_bus(side) : low_voltage_bus(side));
  if (load.place % 2 == 1 && buses.size() == 2) std::swap(buses[0], buses[1]);
  return buses;
}

Load hung(const PowerSpec& spec, const DeclaredLoad& load) {
  if (load.at == SupplyPoint::rack_pdus) return {load.name, rack_buses(spec, load.place)};
  return {load.name, motor_buses(spec, load), Load::Sharing::transfer};
}

void declare_batteries(Diagram& diagram) {
  const electrical::PowerTree& tree = diagram.power_tree;
  for (std::size_t branch = 0; branch < tree.branch_name.size(); ++branch) {
    const double energy_j = tree.branch_battery_j[branch];
    if (energy_j <= 0.0) continue;
    const StateInfo& charge = electrical::electrical_kind(tree.branch_kind[branch]).states.front();
    const std::size_t state = diagram.declare_state(tree.branch_name[branch], charge, energy_j);
    diagram.batteries.push_back({tree.branch_name[branch], branch, state, energy_j, tree.branch_charger_w[branch]});
    diagram.guards.push_back({.state = state, .level = 0.0});
  }
}

/// A meter of loss for each kind that stands here, in the order of the catalog, and which of them a branch is metered at.
void declare_loss_meters(Diagram& diagram) {
  const std::vector<std::string_view>& kinds = diagram.power_tree.branch_kind;
  std::vector<LossMeter>& meters = diagram.meters.loss;
  const auto meter_of = [](std::string_view kind) { return electrical::electrical_kind(kind).metered_under; };
  for (const electrical::ElectricalKind& kind : electrical::electrical_kinds()) {
    const bool is_here = std::ranges::find(kinds, kind.metered_under, meter_of) != kinds.end();
    const bool is_new = std::ranges::find(meters, kind.metered_under, &LossMeter::kind) == meters.end();
    if (!is_here || !is_new) continue;
    meters.push_back({kind.metered_under, diagram.declare_meter(fmt::format("{}.loss", kind.metered_under))});
  }
  for (const std::string_view kind : kinds) {
    const auto meter = std::ranges::find(meters, meter_of(kind), &LossMeter::kind);
    diagram.branch_meter.push_back(static_cast<std::size_t>(meter - meters.begin()));
  }
}

void declare_standby(Diagram& diagram, const PowerSpec& power) {
  const GeneratorsSpec& spec = power.generators;
  if (!spec.is_given) return;
  const electrical::PowerTree& tree = diagram.power_tree;
  for (const char side : sides_of(power)) {
    StandbyPart part{.name = fmt::format("generator_{}", side),
                     .bus = 0,
                     .sources = {},
                     .is_enabled = spec.is_enabled,
                     .start_time_s = spec.generator.start_time_s,
                     .retransfer_delay_s = spec.generator.retransfer_delay_s};
    for (int g = 0; g < spec.count; ++g) {
      if (const auto source = electrical::find_source(tree, generator_name(side, g))) part.sources.push_back(*source);
    }
    if (part.sources.empty()) continue;  // none installed
    part.bus = static_cast<std::size_t>(tree.source_bus[part.sources.front()]);
    diagram.standby.push_back(std::move(part));
  }
}

}  // namespace

OneLineDiagram one_line_of(const Diagram& diagram, const PowerSpec& power) {
  OneLineDiagram one_line;
  one_line.rooms = static_cast<int>(diagram.rooms.size());
  for (const char side : sides_of(power)) {
    add_supply(power, side, one_line);
    add_protected(power, diagram.rooms, side, one_line);
  }
  for (const DeclaredLoad& load : diagram.loads) one_line.loads.push_back(hung(power, load));
  return one_line;
}

void add_power(Diagram& diagram, const Scenario& scenario) {
  OneLineDiagram one_line = one_line_of(diagram, scenario.power);
  change_diagram(scenario, one_line);
  diagram.power_tree = electrical::build_power_tree(one_line);
  declare_loss_meters(diagram);
  declare_batteries(diagram);
  declare_standby(diagram, scenario.power);
  for (MotorPart& motor : diagram.motors) motor.rides_through = motor.is_on_ups || scenario.power.motors_ride_through;
}

}  // namespace wattloop::twin
