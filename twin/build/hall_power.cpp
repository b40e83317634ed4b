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
#include "electrical/one_line.hpp"
#include "twin/plant/plant_draft.hpp"
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

int room_of_ups(const HallParts& hall, char side) {
  const std::string name = fmt::format("electrical_room_{}", side);
  for (std::size_t room = 0; room < hall.rooms.size(); ++room) {
    if (hall.rooms[room].name == name) return static_cast<int>(room);
  }
  return hall_room;
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
void add_protected(const PlantDraft& draft, char side, OneLineDiagram& diagram) {
  const PowerSpec& spec = draft.scenario.power;
  diagram.buses.push_back({ups_bus(side)});
  diagram.branches.push_back({.name = fmt::format("ups_{}", side),
                              .from = low_voltage_bus(side),
                              .to = ups_bus(side),
                              .equipment = spec.ups,
                              .modules = spec.ups_modules,
                              .room = room_of_ups(draft.plant.hall, side)});
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

std::vector<std::string> motor_buses(const PowerSpec& spec, const MotorPart& motor, std::size_t number) {
  std::vector<std::string> buses;
  for (const char side : sides_of(spec)) buses.push_back(motor.is_on_ups ? ups_bus(side) : low_voltage_bus(side));
  if (number % 2 == 1 && buses.size() == 2) std::swap(buses[0], buses[1]);
  return buses;
}

void add_loads(const PlantDraft& draft, OneLineDiagram& diagram) {
  const PowerSpec& spec = draft.scenario.power;
  const HallParts& hall = draft.plant.hall;
  diagram.loads.resize(draft.plant.map.load_count);
  std::size_t place = 0;
  const auto add_rack = [&](const auto& rack) {
    const std::vector<std::string> buses = rack_buses(spec, place++);
    diagram.loads[rack.load] = {rack.name, buses};
    if (rack.door_fans.load != no_part)
      diagram.loads[rack.door_fans.load] = {rack.name + std::string(door_fans_suffix), buses};
  };
  for (const RackPart& rack : hall.racks) add_rack(rack);
  for (const NetworkRackPart& rack : hall.network_racks) add_rack(rack);
  for (std::size_t m = 0; m < hall.motors.size(); ++m) {
    const MotorPart& motor = hall.motors[m];
    diagram.loads[motor.load] = {motor.name, motor_buses(spec, motor, m), Load::Sharing::transfer};
  }
}

void declare_batteries(PlantDraft& draft) {
  const electrical::PowerTree& tree = draft.plant.power_tree;
  for (std::size_t branch = 0; branch < tree.branch_name.size(); ++branch) {
    const double energy_j = tree.branch_battery_j[branch];
    if (energy_j <= 0.0) continue;
    const StateInfo& charge = electrical::electrical_kind(tree.branch_kind[branch]).states.front();
    const std::size_t state = draft.declare_state(tree.branch_name[branch], charge);
    draft.heat_capacity[state] = energy_j;
    draft.plant.batteries.push_back({tree.branch_name[branch], branch, state, energy_j, tree.branch_charger_w[branch]});
    draft.plant.guards.push_back({.state = state, .level = 0.0});
  }
}

/// A meter of loss for each kind that stands here, in the order of the catalog, and which of them a branch is metered at.
void declare_loss_meters(PlantDraft& draft) {
  Plant& plant = draft.plant;
  const auto meter_of = [](std::string_view kind) { return electrical::electrical_kind(kind).metered_under; };
  for (const electrical::ElectricalKind& kind : electrical::electrical_kinds()) {
    const bool is_here = std::ranges::find(plant.power_tree.branch_kind, kind.metered_under, meter_of) !=
                         plant.power_tree.branch_kind.end();
    const bool is_new =
        std::ranges::find(plant.meters.loss, kind.metered_under, &LossMeter::kind) == plant.meters.loss.end();
    if (!is_here || !is_new) continue;
    plant.meters.loss.push_back({kind.metered_under, draft.declare_meter(fmt::format("{}.loss", kind.metered_under))});
  }
  for (const std::string_view kind : plant.power_tree.branch_kind) {
    const auto meter = std::ranges::find(plant.meters.loss, meter_of(kind), &LossMeter::kind);
    plant.branch_meter.push_back(static_cast<std::size_t>(meter - plant.meters.loss.begin()));
  }
}

void declare_standby(PlantDraft& draft) {
  const GeneratorsSpec& spec = draft.scenario.power.generators;
  if (!spec.is_given) return;
  const electrical::PowerTree& tree = draft.plant.power_tree;
  for (const char side : sides_of(draft.scenario.power)) {
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
    draft.plant.standby.push_back(std::move(part));
  }
}

}  // namespace

OneLineDiagram hall_one_line(const PlantDraft& draft) {
  OneLineDiagram diagram;
  diagram.rooms = static_cast<int>(draft.plant.hall.rooms.size());
  for (const char side : sides_of(draft.scenario.power)) {
    add_supply(draft.scenario.power, side, diagram);
    add_protected(draft, side, diagram);
  }
  add_loads(draft, diagram);
  return diagram;
}

void declare_power(PlantDraft& draft) {
  electrical::OneLineDiagram diagram = hall_one_line(draft);
  change_diagram(draft.scenario, diagram);
  draft.plant.power_tree = electrical::build_power_tree(diagram);
  draft.plant.map.bus_count = draft.plant.power_tree.bus_name.size();
  declare_loss_meters(draft);
  declare_batteries(draft);
  declare_standby(draft);
}

}  // namespace wattloop::twin
