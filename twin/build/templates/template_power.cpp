// The one-line diagram of the hall, of blocks a, b, ... that are alike or not:
//
//   utility_s -> [substation_s] -> transformer_s -> [ups_s] -> pdu_s_1 ... pdu_s_n
//                                      |
//   generator_s_1 ... generator_s_n  --+
//
// A block of several low-voltage buses has transformer_s_1, ups_s_1, ... at its first one, and so on: unit substations, each with an equal
// part of the generators and PDUs, which are numbered through.
//
// Cords of racks and transfer switches of motors are laid over the blocks by a plan (twin/build/templates/cord_plan.hpp). With
// `topology: single` the PDUs of the one block are `pdu_1` ... `pdu_n`. Fans of rear doors hang on the cords of their rack. Motors
// hang behind the UPS or on the low voltage before it, of the blocks that their turn or `cords` give. Transformers and generators stand outdoors, a UPS in the electrical room of
// its block where the hall has one, PDUs in the room of the racks that hang on them (twin/build/templates/pdu_rooms.hpp).

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/units/units.hpp"
#include "electrical/electrical_catalog.hpp"
#include "electrical/equipment.hpp"
#include "twin/build/templates/cord_plan.hpp"
#include "twin/build/templates/one_line_templates.hpp"
#include "twin/build/templates/pdu_rooms.hpp"
#include "twin/scenario/specs/diagram_changes.hpp"

namespace wattloop::twin {

namespace {

using electrical::Load;
using electrical::outdoors;
using electrical::Source;

using Blocks = std::vector<PowerBlockSpec>;

std::string utility_bus(const std::string& block) { return fmt::format("utility_{}.bus", block); }
std::string substation_bus(const std::string& block) { return fmt::format("substation_{}.output", block); }
std::string low_voltage_bus(const std::string& at) { return fmt::format("transformer_{}.output", at); }

/// What PDUs, and motors that do not stop, hang on at a low-voltage bus of the block.
std::string protected_bus(const PowerBlockSpec& block, int bus) {
  const std::string at = block.name_at(bus);
  return block.is_without_ups ? low_voltage_bus(at) : fmt::format("ups_{}.output", at);
}

std::string pdu_name(const PowerSpec& spec, const std::string& block, std::size_t index) {
  const bool is_only_one = !spec.has_named_blocks() && spec.sides() == 1;
  return is_only_one ? fmt::format("pdu_{}", index + 1) : fmt::format("pdu_{}_{}", block, index + 1);
}

std::string generator_name(const std::string& block, int index) {
  return fmt::format("generator_{}_{}", block, index + 1);
}

/// Of `topology` no one says how many modules may be out.
int spare_modules(const PowerSpec& spec, int redundant) {
  return spec.has_named_blocks() || redundant > 0 ? redundant : electrical::not_said;
}

/// From the feed to the low voltage.
void add_supply(const PowerSpec& spec, const PowerBlockSpec& block, OneLineDiagram& diagram) {
  const std::string& name = block.name;
  const std::string above = block.has_substation ? substation_bus(name) : utility_bus(name);
  diagram.buses.push_back({utility_bus(name)});
  if (block.has_substation) diagram.buses.push_back({above});
  for (const std::string& at : block.names_at_buses()) diagram.buses.push_back({low_voltage_bus(at)});
  diagram.sources.push_back(
      {.name = fmt::format("utility_{}", name), .bus = utility_bus(name), .equipment = block.utility});
  if (block.has_substation) {
    diagram.branches.push_back({.name = fmt::format("substation_{}", name),
                                .from = utility_bus(name),
                                .to = above,
                                .equipment = electrical::Substation::Params{block.substation},
                                .modules = 1,
                                .room = outdoors});
  }
  for (const std::string& at : block.names_at_buses()) {
    diagram.branches.push_back({.name = fmt::format("transformer_{}", at),
                                .from = above,
                                .to = low_voltage_bus(at),
                                .equipment = block.transformer,
                                .modules = block.transformers / block.low_voltage_buses,
                                .room = outdoors,
                                .spare_modules = spare_modules(spec, block.redundant_transformers)});
  }
  const GeneratorsSpec& generators = block.generators;
  for (int g = 0; generators.is_given && g < generators.count; ++g) {
    diagram.sources.push_back({.name = generator_name(name, g),
                               .bus = low_voltage_bus(block.name_at(block.bus_of(g, generators.count))),
                               .equipment = generators.generator,
                               .normally_live = false});
  }
}

/// At each low-voltage bus, in the room of the block.
void add_ups_of(const PowerSpec& spec, const PowerBlockSpec& block, std::size_t room, OneLineDiagram& diagram) {
  for (int bus = 0; bus < block.low_voltage_buses; ++bus) {
    const std::string at = block.name_at(bus);
    diagram.buses.push_back({protected_bus(block, bus)});
    add_ups(diagram,
            {.name = fmt::format("ups_{}", at),
             .from = low_voltage_bus(at),
             .to = protected_bus(block, bus),
             .equipment = block.ups,
             .modules = block.ups_modules / block.low_voltage_buses,
             .spare_modules = spare_modules(spec, block.redundant_ups_modules),
             .shares_battery = block.ups_batteries == "shared"},
            room, block.ups_bypass == "static");
  }
}

/// Behind the UPS, or at the low voltage where there is none, in those rooms.
void add_pdus(const PowerSpec& spec, const PowerBlockSpec& block, const std::vector<std::size_t>& pdu_rooms,
              OneLineDiagram& diagram) {
  for (int p = 0; p < block.pdus; ++p) {
    const std::string name = pdu_name(spec, block.name, static_cast<std::size_t>(p));
    diagram.buses.push_back({name + ".output"});
    diagram.branches.push_back({.name = name,
                                .from = protected_bus(block, block.bus_of(p, block.pdus)),
                                .to = name + ".output",
                                .equipment = block.pdu,
                                .modules = 1,
                                .room = static_cast<int>(pdu_rooms[static_cast<std::size_t>(p)])});
  }
}

/// Hangs loads on the blocks of a plan.
class Hanger {
 public:
  Hanger(const PowerSpec& spec, const Blocks& blocks, const Diagram& diagram)
      : spec_(spec), blocks_(blocks), plan_(cord_plan(spec)) {
    std::vector<std::vector<double>> rated_w(blocks.size(),
                                             std::vector<double>(std::max<std::size_t>(diagram.rooms.size(), 1), 0.0));
    for (const DeclaredLoad& load : diagram.loads) {
      if (load.at != SupplyPoint::rack_pdus) continue;
      for (const Cord& cord : plan_of(load).cords(load.place)) rated_w[cord.block][load.room] += load.rated_w;
    }
    for (std::size_t b = 0; b < blocks.size(); ++b)
      pdu_rooms_.push_back(rooms_of_pdus(static_cast<std::size_t>(blocks[b].pdus), rated_w[b]));
  }

  /// Rooms of the PDUs of a block.
  const std::vector<std::size_t>& pdu_rooms(std::size_t block) const { return pdu_rooms_[block]; }

  Load hung(const DeclaredLoad& load) const {
    if (load.at != SupplyPoint::rack_pdus) return {load.name, motor_buses(load), Load::Sharing::transfer};
    const CordPlan plan = plan_of(load);
    const Load::Sharing on_two_cords = load.needs_both_cords ? Load::Sharing::both_needed : Load::Sharing::equally;
    return {load.name, rack_buses(plan, load), plan.racks_transfer() ? Load::Sharing::transfer : on_two_cords};
  }

 private:
  CordPlan plan_of(const DeclaredLoad& load) const {
    return load.blocks.empty() ? plan_ : cord_plan(spec_, load.blocks);
  }

  std::vector<std::string> rack_buses(const CordPlan& plan, const DeclaredLoad& rack) const {
    std::vector<std::string> buses;
    for (const Cord& cord : plan.cords(rack.place)) {
      const std::vector<std::size_t> pdus = pdus_in_room(pdu_rooms_[cord.block], rack.room);
      buses.push_back(pdu_name(spec_, blocks_[cord.block].name, pdus[cord.pdu_of(pdus.size())]) + ".output");
    }
    return buses;
  }

  /// On the blocks that its cords name, in their order; else in turn, as on the low-voltage buses of a block.
  std::vector<std::string> motor_buses(const DeclaredLoad& load) const {
    std::vector<std::string> buses;
    const auto hang_on = [&](const PowerBlockSpec& block) {
      const auto turn = static_cast<int>(plan_.motor_turn(load.place));
      const int bus = turn % block.low_voltage_buses;
      buses.push_back(load.at == SupplyPoint::ups ? protected_bus(block, bus) : low_voltage_bus(block.name_at(bus)));
    };
    for (const std::string& name : load.blocks) hang_on(*std::ranges::find(blocks_, name, &PowerBlockSpec::name));
    if (!load.blocks.empty()) return buses;
    for (const std::size_t number : plan_.motor_blocks(load.place)) hang_on(blocks_[number]);
    return buses;
  }

  const PowerSpec& spec_;
  const Blocks& blocks_;
  const CordPlan plan_;
  std::vector<std::vector<std::size_t>> pdu_rooms_;  ///< [block][PDU]
};

void declare_batteries(Diagram& diagram) {
  const electrical::PowerTree& tree = diagram.power_tree;
  for (std::size_t branch = 0; branch < tree.branch_name.size(); ++branch) {
    const double energy_j = tree.branch_battery_j[branch];
    if (energy_j <= 0.0) continue;
    const StateInfo& charge = electrical::electrical_kind(tree.branch_kind[branch]).states.front();
    const std::size_t state = diagram.declare_state(tree.branch_name[branch], charge, energy_j);
    diagram.batteries.push_back({.name = tree.branch_name[branch],
                                 .branch = branch,
                                 .charge_state = state,
                                 .energy_j = energy_j,
                                 .charger_w = tree.branch_charger_w[branch],
                                 .is_shared = tree.branch_shares_battery[branch] != 0});
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

/// The generators of each low-voltage bus, which start and stop together; none where none are installed.
void declare_standby(Diagram& diagram, const Blocks& blocks) {
  const electrical::PowerTree& tree = diagram.power_tree;
  for (const PowerBlockSpec& block : blocks) {
    const GeneratorsSpec& spec = block.generators;
    std::map<int, std::vector<std::size_t>> sets;  // by the bus of the tree
    for (int g = 0; spec.is_given && g < spec.count; ++g) {
      if (const auto source = electrical::find_source(tree, generator_name(block.name, g)))
        sets[tree.source_bus[*source]].push_back(*source);
    }
    for (auto& [bus, sources] : sets) {
      diagram.standby.push_back({.name = fmt::format("generator_{}", block.name),
                                 .bus = static_cast<std::size_t>(bus),
                                 .sources = std::move(sources),
                                 .is_enabled = spec.is_enabled,
                                 .start_time_s = spec.generator.start_time_s,
                                 .retransfer_delay_s = spec.generator.retransfer_delay_s});
    }
  }
}

/// Blocks of which one may be out: where loads hang on two, and every UPS is installed.
void declare_blocks(Diagram& diagram, const PowerSpec& power, const Blocks& blocks) {
  const electrical::PowerTree& tree = diagram.power_tree;
  for (const PowerBlockSpec& block : blocks) {
    if (block.is_without_ups) diagram.without_ups.push_back(block.name);
  }
  if (power.laid_out_as() == "single") return;
  std::vector<BlockPart> parts;
  for (const PowerBlockSpec& block : blocks) {
    const std::string feed = fmt::format("utility_{}", block.name);
    BlockPart part{fmt::format("{} {}", power.has_named_blocks() ? "block" : "side", block.name), feed, {}};
    if (electrical::find_source(tree, feed)) part.members.push_back(feed);
    for (int g = 0; block.generators.is_given && g < block.generators.count; ++g) {
      if (electrical::find_source(tree, generator_name(block.name, g)))
        part.members.push_back(generator_name(block.name, g));
    }
    for (const std::string& at : block.names_at_buses()) {
      if (block.is_without_ups) continue;
      const std::string ups = fmt::format("ups_{}", at);
      if (!electrical::find_branch(tree, ups)) return;
      part.members.push_back(ups);
    }
    parts.push_back(std::move(part));
  }
  diagram.blocks = std::move(parts);
}

/// [bus] Whether all that leads to it goes through UPS or their bypasses.
std::vector<bool> behind_ups(const electrical::PowerTree& tree) {
  std::vector<bool> is_behind(tree.bus_name.size(), true);
  const auto of_ups = [&](std::size_t branch) {
    return tree.branch_battery_j[branch] > 0.0 || tree.branch_kind[branch] == electrical::Ups::kind ||
           tree.branch_bypassed[branch] != electrical::no_branch;
  };
  for (const int bus : tree.source_bus) is_behind[static_cast<std::size_t>(bus)] = false;
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (std::size_t branch = 0; branch < tree.branch_name.size(); ++branch) {
      const auto from = static_cast<std::size_t>(tree.branch_from[branch]);
      const auto to = static_cast<std::size_t>(tree.branch_to[branch]);
      const auto expose = [&](std::size_t bus) {
        has_changed = has_changed || is_behind[bus];
        is_behind[bus] = false;
      };
      if (of_ups(branch)) continue;
      if (!is_behind[from]) expose(to);
      if (tree.branch_goes_both_ways[branch] != 0 && !is_behind[to]) expose(from);
    }
  }
  return is_behind;
}

/// A motor goes on through the gap of its transfer switch where that is a static one: behind UPS of all that it hangs on.
void declare_ride_through(Diagram& diagram, const PowerSpec& power) {
  const electrical::PowerTree& tree = diagram.power_tree;
  const std::vector<bool> is_behind = behind_ups(tree);
  const auto is_behind_ups = [&](int bus) {
    return bus == electrical::no_bus || is_behind[static_cast<std::size_t>(bus)];
  };
  for (MotorPart& motor : diagram.motors)
    motor.rides_through = std::ranges::all_of(tree.load_bus[motor.load], is_behind_ups) || power.motors_ride_through;
}

LoadNames names_of_loads(const Diagram& diagram) {
  LoadNames names;
  for (const DeclaredLoad& load : diagram.loads) {
    const bool is_on_cords = load.at == SupplyPoint::rack_pdus;
    if (load.at == SupplyPoint::drawn_bus) continue;
    if (!load.name.ends_with(door_fans_suffix)) (is_on_cords ? names.racks : names.motors).push_back(load.name);
  }
  return names;
}

/// Of a diagram as drawn: `cords` says what they hang on.
Load not_hung(const DeclaredLoad& load) {
  const bool is_on_cords = load.at == SupplyPoint::rack_pdus;
  const Load::Sharing shared = load.needs_both_cords ? Load::Sharing::both_needed : Load::Sharing::equally;
  return {load.name, {}, is_on_cords ? shared : Load::Sharing::transfer};
}

}  // namespace

OneLineDiagram one_line_of(const Diagram& diagram, const PowerSpec& power) {
  OneLineDiagram one_line;
  const Blocks blocks = power.blocks();
  one_line.rooms = static_cast<int>(diagram.rooms.size());
  if (power.one_line.is_given) {
    add_drawn(diagram, power, one_line);
    for (const DeclaredLoad& load : diagram.loads) {
      const auto drawn = std::ranges::find(power.one_line.loads, load.name, &DrawnLoad::name);
      one_line.loads.push_back(load.at == SupplyPoint::drawn_bus ? Load{load.name, {drawn->bus}} : not_hung(load));
    }
    one_line.may_be_meshed = power.flow == "meshed" || power.flow == "auto";
    return one_line;
  }
  const Hanger hanger(power, blocks, diagram);
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    add_supply(power, blocks[b], one_line);
    if (!blocks[b].is_without_ups)
      add_ups_of(power, blocks[b], room_called(diagram, "electrical_room_" + blocks[b].name), one_line);
    add_pdus(power, blocks[b], hanger.pdu_rooms(b), one_line);
  }
  for (const DeclaredLoad& load : diagram.loads) one_line.loads.push_back(hanger.hung(load));
  return one_line;
}

void add_power(Diagram& diagram, const Scenario& scenario, Problems& problems) {
  const Blocks blocks = scenario.power.blocks();
  lay_motors(diagram, scenario.power, problems);
  check_rooms_of_drawn(diagram, scenario.power, problems);
  declare_ups_heat(diagram, scenario);
  declare_site_loads(diagram, scenario.power.one_line);
  OneLineDiagram one_line = one_line_of(diagram, scenario.power);
  change_diagram(scenario.power, names_of_loads(diagram), one_line, problems);
  if (!problems.empty()) return;
  diagram.power_tree = electrical::build_power_tree(one_line);
  declare_loss_meters(diagram);
  declare_batteries(diagram);
  declare_standby(diagram, blocks);
  declare_drawn_standby(diagram, scenario.power.one_line);
  declare_switch_rules(diagram, scenario.power.one_line);
  declare_blocks(diagram, scenario.power, blocks);
  declare_ride_through(diagram, scenario.power);
  declare_voltages(diagram, scenario.power, problems);
}

}  // namespace wattloop::twin
