#include "twin/build/floor/hall_floor.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "electrical/electrical_catalog.hpp"
#include "electrical/equipment.hpp"
#include "physics/air/air_cooled_rack.hpp"
#include "physics/water/chiller_machine.hpp"
#include "physics/water/tower_cell.hpp"
#include "twin/build/floor/rack_plan.hpp"
#include "twin/parts/part_catalog.hpp"
#include "twin/plant/equipment/parts_of.hpp"
#include "twin/scenario/checks/coil_water.hpp"

namespace wattloop::twin {

namespace {

struct RacksAndLoops {
  std::vector<RackOnFloor> racks;
  std::vector<LoopOnFloor> loops;
};

RacksAndLoops racks_on_floor(const Scenario& scenario, const Plant& plant) {
  const RackPlan plan = plan_racks(scenario);
  RacksAndLoops floor;
  for (const PlannedLoop& loop : plan.loops) floor.loops.push_back({loop.name, scenario.cooling.loops[loop.spec].cdus});
  std::size_t first_of_row = 0;
  for (std::size_t r = 0; r < plan.racks.size(); ++r) {
    const PlannedRack& rack = plan.racks[r];
    const RackGroup& group = plant.it.group_of(r);
    if (r == 0 || plan.racks[r - 1].row != rack.row) first_of_row = r;
    floor.racks.push_back({.name = rack.name,
                           .row = static_cast<int>(rack.row),
                           .place = static_cast<int>(r - first_of_row),
                           .loop = rack.loop ? static_cast<int>(*rack.loop) : -1,
                           .room = static_cast<int>(plan.rows[rack.row].room),
                           .nodes = static_cast<int>(group.nodes_per_rack),
                           .gpus_per_node = static_cast<int>(group.gpus_per_node),
                           .has_rear_door = rack.doors.has_value()});
  }
  return floor;
}

/// Those in a room of the hall; those of electrical rooms are not drawn.
int crahs_in(const Plant& plant, std::size_t room) {
  return static_cast<int>(std::ranges::count_if(plant.named, [&](const NamedPart& part) {
    return part.kind == "air handler" && part.hangs_on.front() == plant.rooms[room].name;
  }));
}

/// None where there is only one.
std::vector<RoomOnFloor> rooms_on_floor(const Scenario& scenario, const Plant& plant) {
  std::vector<RoomOnFloor> rooms;
  if (scenario.cooling.rooms.size() == 1) return rooms;
  for (std::size_t room = 0; room < scenario.cooling.rooms.size(); ++room)
    rooms.push_back({.name = plant.rooms[room].name, .crahs = crahs_in(plant, room)});
  for (const PlannedRow& row : plan_racks(scenario).network_rows)
    rooms[row.room].network_racks += static_cast<int>(row.racks);
  return rooms;
}

/// Where a part stands: `at` of the scenario, or the row or room of its air, or where its kind says.
class PartPlaces {
 public:
  PartPlaces(const Scenario& scenario, const Plant& plant) : plan_(plan_racks(scenario)) {
    for (std::size_t room = 0; room < scenario.cooling.rooms.size(); ++room) rooms_.push_back(plant.rooms[room].name);
  }

  PlacedPart place(const PartSpec& part, const Box& box) const {
    PlacedPart placed{part.name, part.kind, box};
    if (!part.at.empty()) {
      find(part.at, placed);
      placed.box.place = placed.row >= 0 ? BoxPlace::row : BoxPlace::room;
      return placed;
    }
    for (const PortSpec& port : part.ports) find(port.from, placed);
    return placed;
  }

 private:
  /// Of "row_1.hot_aisle" the row, of "room_1" the room; of anything else nothing.
  void find(std::string_view name, PlacedPart& placed) const {
    const std::string_view stem = name.substr(0, name.find('.'));
    if (const auto row = std::ranges::find(plan_.rows, stem, &PlannedRow::name); row != plan_.rows.end()) {
      placed.row = static_cast<int>(row - plan_.rows.begin());
      placed.room = static_cast<int>(row->room);
    }
    if (const auto room = std::ranges::find(rooms_, stem); room != rooms_.end())
      placed.room = static_cast<int>(room - rooms_.begin());
  }

  RackPlan plan_;
  std::vector<std::string> rooms_;
};

/// Equipment of a one-line diagram as drawn that is seen from outside: all of it in the yard.
void add_drawn_equipment(const PowerSpec& power, std::vector<PlacedPart>& others) {
  const auto add = [&](const std::string& name, std::string_view kind) {
    Box box = electrical::electrical_kind(kind).box;
    box.place = BoxPlace::yard;  // the diagram does not say in which room it is
    if (box.is_drawn()) others.push_back({name, std::string(kind), box});
  };
  for (const DrawnSource& drawn : power.one_line.sources)
    add(drawn.source.name, electrical::kind_of(drawn.source.equipment));
  for (const DrawnBranch& drawn : power.one_line.branches)
    add(drawn.branch.name, electrical::kind_of(drawn.branch.equipment));
}

/// Of the PDUs of a block, where there are several.
std::vector<int> pdu_rooms(const Scenario& scenario, const Plant& plant, const PowerBlockSpec& block) {
  std::vector<int> rooms;
  const bool is_only_one = !scenario.power.has_named_blocks() && scenario.power.sides() == 1;
  for (int pdu = 1; pdu <= block.pdus && scenario.cooling.rooms.size() > 1; ++pdu) {
    const std::string name = is_only_one ? fmt::format("pdu_{}", pdu) : fmt::format("pdu_{}_{}", block.name, pdu);
    const auto branch = electrical::find_branch(plant.power_tree, name);
    rooms.push_back(branch ? plant.power_tree.branch_room[*branch] : 0);  // one that is absent
  }
  return rooms;
}

}  // namespace

HallFloor layout_floor(const Scenario& scenario, const Plant& plant) {
  const PowerSpec& power = scenario.power;
  const PartPlaces places(scenario, plant);
  std::vector<PlacedPart> others;
  for (const PartSpec& part : scenario.parts) {
    const PartKind& kind = *find_written_kind(part.kind);
    if (kind.box.is_drawn()) others.push_back(places.place(part, kind.box));
  }
  if (!plant.it.storage_racks.empty()) {
    const int room = static_cast<int>(plan_racks(scenario).storage_rows.front().room);
    for (const StorageRackPart& rack : plant.it.storage_racks)
      others.push_back({rack.name, std::string(physics::StorageRack::kind), physics::StorageRack::box, room});
  }
  add_drawn_equipment(power, others);
  std::vector<BlockCounts> blocks;
  for (const PowerBlockSpec& block : power.named_blocks) {
    blocks.push_back({.name = block.name,
                      .substations = block.has_substation ? 1 : 0,
                      .transformers = block.low_voltage_buses,
                      .ups = block.is_without_ups ? 0 : block.low_voltage_buses,
                      .generators = block.generators.is_given ? block.generators.count : 0,
                      .pdus = block.pdus,
                      .pdu_rooms = pdu_rooms(scenario, plant, block)});
  }
  std::vector<std::vector<int>> pdu_rooms_of_sides;
  for (const PowerBlockSpec& block : power.blocks()) pdu_rooms_of_sides.push_back(pdu_rooms(scenario, plant, block));
  int crahs = 0;
  for (std::size_t room = 0; room < scenario.cooling.rooms.size(); ++room) crahs += crahs_in(plant, room);
  RacksAndLoops floor = racks_on_floor(scenario, plant);
  return {.racks = std::move(floor.racks),
          .loops = std::move(floor.loops),
          .rooms = rooms_on_floor(scenario, plant),
          .has_rear_doors = find_doors(scenario.cooling, scenario.network.on.door) != nullptr,
          .network_racks = static_cast<int>(plant.it.network_racks.size()),
          .crahs = crahs,
          .chillers = static_cast<int>(parts_of<physics::ChillerMachine>(plant).size()),
          .towers = static_cast<int>(parts_of<physics::TowerCell>(plant).size()),
          .sides = power.sides(),
          .substations_per_side = power.has_substation ? 1 : 0,
          .transformers_per_side = power.low_voltage_buses,  // as many as the diagram has: modules of one are one
          .ups_per_side = power.is_without_ups ? 0 : power.low_voltage_buses,
          .generators_per_side = power.generators.is_given ? power.generators.count : 0,
          .pdus_per_side = power.pdus,
          .pdu_rooms_of_sides = std::move(pdu_rooms_of_sides),
          .blocks = std::move(blocks),
          .others = std::move(others)};
}

std::vector<LayoutBox> named_as_built(std::vector<LayoutBox> boxes, const Plant& plant) {
  for (const auto& [kind, drawn_as] : {std::pair{"chiller", "chiller"}, std::pair{"tower cell", "tower"}}) {
    auto box = boxes.begin();
    for (const NamedPart& part : plant.named) {
      if (part.kind != kind) continue;
      box = std::find_if(box, boxes.end(), [&](const LayoutBox& drawn) { return drawn.kind == drawn_as; });
      if (box == boxes.end()) break;
      (box++)->name = part.name;
    }
  }
  return boxes;
}

}  // namespace wattloop::twin
