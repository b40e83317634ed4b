// The one-line diagram of the hall, of blocks a, b, ... that are alike or not:
//
//   utility_s -> [substation_s] -> transformer_s -> [ups_s] -> pdu_s_1 ... pdu_s_n
//                                      |
//   generator_s_1 ... generator_s_n  --+
//
// Cords of racks and transfer switches of motors are laid over the blocks by a plan (twin/build/templates/cord_plan.hpp). With
// `topology: single` the PDUs of the one block are `pdu_1` ... `pdu_n`. Fans of rear doors hang on the cords of their rack. Motors
// hang behind the UPS or on the low voltage before it, of the blocks that their turn or `cords` give. Transformers and generators stand outdoors, a UPS in the electrical room of
// its block where the hall has one, PDUs in the room of the racks that hang on them (twin/build/templates/pdu_rooms.hpp).

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "electrical/electrical_catalog.hpp"
#include "twin/build/templates/cord_plan.hpp"
#include "twin/build/templates/pdu_rooms.hpp"
#include "twin/build/templates/templates.hpp"
#include "twin/scenario/specs/diagram_changes.hpp"

namespace wattloop::twin {

namespace {

using electrical::Load;
using electrical::OneLineDiagram;
using electrical::outdoors;
using electrical::Source;

constexpr int only_room = 0;  ///< of a hall whose UPS have none of their own: several are refused before

using Blocks = std::vector<PowerBlockSpec>;

std::string utility_bus(const std::string& block) { return fmt::format("utility_{}.bus", block); }
std::string low_voltage_bus(const std::string& block) { return fmt::format("transformer_{}.output", block); }

/// What PDUs, and motors that do not stop, hang on.
std::string protected_bus(const PowerBlockSpec& block) {
  return block.is_without_ups ? low_voltage_bus(block.name) : fmt::format("ups_{}.output", block.name);
}

std::string pdu_name(const PowerSpec& spec, const std::string& block, std::size_t index) {
  const bool is_only_one = !spec.has_named_blocks() && spec.sides() == 1;
  return is_only_one ? fmt::format("pdu_{}", index + 1) : fmt::format("pdu_{}_{}", block, index + 1);
}

std::string generator_name(const std::string& block, int index) {
  return fmt::format("generator_{}_{}", block, index + 1);
}

int room_of_ups(const std::vector<Room>& rooms, const std::string& block) {
  const auto room = std::ranges::find(rooms, fmt::format("electrical_room_{}", block), &Room::name);
  return room == rooms.end() ? only_room : static_cast<int>(room - rooms.begin());
}

/// Of `topology` no one says how many modules may be out.
int spare_modules(const PowerSpec& spec, int redundant) {
  return spec.has_named_blocks() || redundant > 0 ? redundant : electrical::not_said;
}

/// From the feed to the low voltage.
void add_supply(const PowerSpec& spec, const PowerBlockSpec& block, OneLineDiagram& diagram) {
  const std::string& name = block.name;
  const std::string substation = fmt::format("substation_{}", name);
  const std::string substation_bus = substation + ".output";
  diagram.buses.push_back({utility_bus(name)});
  if (block.has_substation) diagram.buses.push_back({substation_bus});
  diagram.buses.push_back({low_voltage_bus(name)});
  diagram.sources.push_back({.name = fmt::format("utility_{}", name), .bus = utility_bus(name)});
  if (block.has_substation) {
    diagram.branches.push_back({.name = substation,
                                .from = utility_bus(name),
                                .to = substation_bus,
                                .equipment = electrical::Substation::Params{block.substation},
                                .modules = 1,
                                .room = outdoors});
  }
  diagram.branches.push_back({.name = fmt::format("transformer_{}", name),
                              .from = block.has_substation ? substation_bus : utility_bus(name),
                              .to = low_voltage_bus(name),
                              .equipment = block.transformer,
                              .modules = block.transformers,
                              .room = outdoors,
                              .spare_modules = spare_modules(spec, block.redundant_transformers)});
  const GeneratorsSpec& generators = block.generators;
  for (int g = 0; generators.is_given && g < generators.count; ++g) {
    diagram.sources.push_back({.name = generator_name(name, g),
                               .bus = low_voltage_bus(name),
                               .equipment = generators.generator,
                               .normally_live = false});
  }
}

/// The static bypass around the UPS of a block.
electrical::Branch bypass_of(const PowerBlockSpec& block, const electrical::Branch& ups) {
  return {.name = ups.name + ".bypass",
          .from = ups.from,
          .to = ups.to,
          .equipment = electrical::UpsBypass::Params{.rated_w = block.ups_modules * block.ups.rated_w,
                                                     .loss_fraction = block.ups.bypass_loss_fraction,
                                                     .overload_limit_ratio = block.ups.bypass_limit_ratio},
          .modules = 1,
          .room = ups.room,
          .normally_closed = false,
          .bypassed = ups.name,
          .bypass_return_s = block.ups.bypass_return_s};
}

/// From the low voltage to the PDUs, which stand in those rooms.
void add_protected(const PowerSpec& spec, const PowerBlockSpec& block, const std::vector<Room>& rooms,
                   const std::vector<std::size_t>& pdu_rooms, OneLineDiagram& diagram) {
  if (!block.is_without_ups) {
    diagram.buses.push_back({protected_bus(block)});
    diagram.branches.push_back({.name = fmt::format("ups_{}", block.name),
                                .from = low_voltage_bus(block.name),
                                .to = protected_bus(block),
                                .equipment = block.ups,
                                .modules = block.ups_modules,
                                .room = room_of_ups(rooms, block.name),
                                .spare_modules = spare_modules(spec, block.redundant_ups_modules),
                                .module_separator = ".module_",
                                .shares_battery = block.ups_batteries == "shared"});
    if (block.ups_bypass == "static") diagram.branches.push_back(bypass_of(block, diagram.branches.back()));
  }
  for (std::size_t p = 0; p < static_cast<std::size_t>(block.pdus); ++p) {
    const std::string name = pdu_name(spec, block.name, p);
    diagram.buses.push_back({name + ".output"});
    diagram.branches.push_back({.name = name,
                                .from = protected_bus(block),
                                .to = name + ".output",
                                .equipment = block.pdu,
                                .modules = 1,
                                .room = static_cast<int>(pdu_rooms[p])});
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

  /// On the blocks that its cords name, in their order; else in turn.
  std::vector<std::string> motor_buses(const DeclaredLoad& load) const {
    std::vector<std::string> buses;
    const auto hang_on = [&](const PowerBlockSpec& block) {
      buses.push_back(load.at == SupplyPoint::ups ? protected_bus(block) : low_voltage_bus(block.name));
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

void declare_standby(Diagram& diagram, const Blocks& blocks) {
  const electrical::PowerTree& tree = diagram.power_tree;
  for (const PowerBlockSpec& block : blocks) {
    const GeneratorsSpec& spec = block.generators;
    if (!spec.is_given) continue;
    StandbyPart part{.name = fmt::format("generator_{}", block.name),
                     .bus = 0,
                     .sources = {},
                     .is_enabled = spec.is_enabled,
                     .start_time_s = spec.generator.start_time_s,
                     .retransfer_delay_s = spec.generator.retransfer_delay_s};
    for (int g = 0; g < spec.count; ++g) {
      if (const auto source = electrical::find_source(tree, generator_name(block.name, g)))
        part.sources.push_back(*source);
    }
    if (part.sources.empty()) continue;  // none installed
    part.bus = static_cast<std::size_t>(tree.source_bus[part.sources.front()]);
    diagram.standby.push_back(std::move(part));
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
    const std::string feed = fmt::format("utility_{}", block.name), ups = fmt::format("ups_{}", block.name);
    BlockPart part{fmt::format("{} {}", power.has_named_blocks() ? "block" : "side", block.name), feed, {}};
    if (electrical::find_source(tree, feed)) part.members.push_back(feed);
    for (int g = 0; block.generators.is_given && g < block.generators.count; ++g) {
      if (electrical::find_source(tree, generator_name(block.name, g)))
        part.members.push_back(generator_name(block.name, g));
    }
    if (electrical::find_branch(tree, ups))
      part.members.push_back(ups);
    else if (!block.is_without_ups)
      return;
    parts.push_back(std::move(part));
  }
  diagram.blocks = std::move(parts);
}

/// A motor goes on through the gap of its transfer switch where that is a static one: behind UPS of all blocks that it hangs on.
void declare_ride_through(Diagram& diagram, const PowerSpec& power) {
  const electrical::PowerTree& tree = diagram.power_tree;
  const auto is_behind_ups = [&](int bus) {
    return bus == electrical::no_bus || std::ranges::none_of(diagram.without_ups, [&](const std::string& block) {
             return tree.bus_name[static_cast<std::size_t>(bus)] == low_voltage_bus(block);
           });
  };
  for (MotorPart& motor : diagram.motors)
    motor.rides_through =
        (motor.is_on_ups && std::ranges::all_of(tree.load_bus[motor.load], is_behind_ups)) || power.motors_ride_through;
}

}  // namespace

OneLineDiagram one_line_of(const Diagram& diagram, const PowerSpec& power) {
  OneLineDiagram one_line;
  const Blocks blocks = power.blocks();
  one_line.rooms = static_cast<int>(diagram.rooms.size());
  const Hanger hanger(power, blocks, diagram);
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    add_supply(power, blocks[b], one_line);
    add_protected(power, blocks[b], diagram.rooms, hanger.pdu_rooms(b), one_line);
  }
  for (const DeclaredLoad& load : diagram.loads) one_line.loads.push_back(hanger.hung(load));
  return one_line;
}

void add_power(Diagram& diagram, const Scenario& scenario, Problems& problems) {
  const Blocks blocks = scenario.power.blocks();
  lay_motors(diagram, scenario.power, problems);
  OneLineDiagram one_line = one_line_of(diagram, scenario.power);
  change_diagram(scenario, one_line, problems);
  if (!problems.empty()) return;
  diagram.power_tree = electrical::build_power_tree(one_line);
  declare_loss_meters(diagram);
  declare_batteries(diagram);
  declare_standby(diagram, blocks);
  declare_blocks(diagram, scenario.power, blocks);
  declare_ride_through(diagram, scenario.power);
}

}  // namespace wattloop::twin
