// Rooms of a hall by name: what stands in which, how PDUs are shared, what is drawn, what is reported of their air.
#include <algorithm>
#include <map>
#include <set>

#include "core/text/problem.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/halls/plant_names.hpp"
#include "twin/build/floor/hall_floor.hpp"
#include "twin/build/floor/rack_plan.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/build/templates/pdu_rooms.hpp"
#include "twin/planning/weather/condensation_warnings.hpp"
#include "twin/planning/weather/weather_of_scenario.hpp"
#include "twin/scenario/scenario_reader.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

using Indices = std::vector<std::size_t>;
using Texts = std::vector<std::string>;

const std::filesystem::path beside_scenarios = std::filesystem::path(WATTLOOP_SOURCE_DIR) / "scenarios" / "own.yaml";

/// Three groups in two rooms, west first and last, one loop through both; `more` goes into hall.cooling.
std::string hall(const std::string& more = "") {
  return R"(format: 1
duration: 10 min
workload: { kind: constant }
hall:
  racks:
    one: { count: 3, nodes: 8, hardware: hgx_h100_liquid, on: { room: west } }
    two: { count: 4, rows: 2, nodes: 8, hardware: hgx_h100_liquid, on: { room: east } }
    air: { count: 2, nodes: 4, hardware: dgx_h100_air, on: { room: west, door: none } }
  network: { racks: 5, hardware: switch_qm9700, on: { room: [east, west] } }
  cooling:
    loops: { cdus: 4, hardware: cdu_1370kw, supply_temperature: 32 degC, volume: 1 m3 }
    facility: { supply_temperature: 24 degC }
    rear_doors: { hardware: rdhx_35kw, supply_temperature: 18 degC }
    crahs:
      west: { count: 3, hardware: crah_252kw, air_temperature: 26 degC }
      east: { count: 2, hardware: crah_100kw, air_temperature: 24 degC }
    room:
      east: { volume: 900 m3, humidity: { dew_point: 12 degC } }
      west: { volume: 700 m3, mass_heat_capacity: 9 MJ/K, humidity: { dew_point: 17 degC } }
)" + more +
         R"(
power:
  topology: 2N
  transformers: { count: 1, hardware: transformer_2500kva }
  ups: { modules: 1, hardware: ups_1500kw }
  pdus: { count: 5, hardware: pdu_1mva }
  rooms: { volume: 200 m3, crahs: { count: 2, hardware: crah_252kw, air_temperature: 32 degC } }
)";
}

Scenario read(const std::string& text) { return read_scenario_text(text, beside_scenarios); }

std::map<std::string, Texts> hangs_on(const Plant& plant, std::string_view kind) {
  std::map<std::string, Texts> found;
  for (const NamedPart& part : plant.named) {
    if (part.kind == kind) found[part.name] = part.hangs_on;
  }
  return found;
}

}  // namespace

TEST_CASE("rooms share the PDUs of a block by what racks there may draw, one each at least", "[rooms]") {
  const auto rooms = [](std::size_t pdus, std::vector<double> rated_w) { return rooms_of_pdus(pdus, rated_w); };
  CHECK(rooms(4, {1e6}) == Indices{0, 0, 0, 0});
  CHECK(rooms(4, {1e6, 1e6}) == Indices{0, 0, 1, 1});
  CHECK(rooms(5, {2e6, 1e6}) == Indices{0, 0, 0, 1, 1});                 // 3.33 and 1.67
  CHECK(rooms(8, {3.46e6, 1.51e6}) == Indices{0, 0, 0, 0, 0, 0, 1, 1});  // 5.57 and 2.43
  CHECK(rooms(3, {9e6, 1e3, 1e3}) == Indices{0, 1, 2});                  // 2.999 and next to nothing, twice
  CHECK(rooms(10, {98.0, 1.0, 1.0}) == Indices{0, 0, 0, 0, 0, 0, 0, 0, 1, 2});
  CHECK(rooms(3, {0.0, 1e6}) == Indices{1, 1, 1});
  CHECK(rooms(2, {0.0, 0.0}) == Indices{0, 0});
  CHECK(rooms(1, {1.0, 2.0}) == Indices{1});
  CHECK(rooms(0, {1.0, 2.0}).empty());
  CHECK(pdus_in_room(Indices{0, 1, 0, 1}, 1) == Indices{1, 3});
}

TEST_CASE("rows, racks of switches, air handlers, CDUs and PDUs stand in the rooms that are said", "[rooms]") {
  const Scenario scenario = read(hall());
  const Plant plant = build_plant(scenario);
  Texts names;
  for (const RoomPart& room : plant.rooms) names.push_back(room.name);
  CHECK(names == Texts{"east", "west", "electrical_room_a", "electrical_room_b"});
  CHECK(hangs_on(plant, "row") == std::map<std::string, Texts>{{"row_1", {"west"}},
                                                               {"row_2", {"east"}},
                                                               {"row_3", {"east"}},
                                                               {"row_4", {"west"}},
                                                               {"network_row_1", {"east"}},
                                                               {"network_row_2", {"west"}}});
  std::map<std::string, std::size_t> handlers;
  for (const auto& [name, on] : hangs_on(plant, "air handler")) handlers[on.front()]++;
  CHECK(handlers == std::map<std::string, std::size_t>{
                        {"east", 2}, {"west", 3}, {"electrical_room_a", 2}, {"electrical_room_b", 2}});
  CHECK(hangs_on(plant, "air handler").at("crah_2").front() == "east");
  CHECK(hangs_on(plant, "air handler").at("crah_3").front() == "west");
  Texts rows_of_switches;
  for (const auto& [name, on] : hangs_on(plant, "network rack")) rows_of_switches.push_back(on.back());
  CHECK(rows_of_switches == Texts{"network_row_1", "network_row_1", "network_row_2", "network_row_2", "network_row_2"});
  // Nodes of 10.2 kW: 4 racks of 8 in east; 3 of 8 and 2 of 4 in west, and what switches draw in either.
  std::map<int, int> pdus;
  const electrical::PowerTree& tree = plant.power_tree;
  for (std::size_t b = 0; b < tree.branch_name.size(); ++b) {
    if (tree.branch_kind[b] == "pdu") ++pdus[tree.branch_room[b]];
  }
  CHECK((pdus == std::map<int, int>{{0, 4}, {1, 6}} || pdus == std::map<int, int>{{0, 6}, {1, 4}}));
  for (const RackPart& rack : plant.it.racks) {  // on PDUs of their own room
    const int room = rack.name.starts_with("row_2") || rack.name.starts_with("row_3") ? 0 : 1;
    for (const int bus : tree.load_bus[rack.load]) {
      if (bus == electrical::no_bus) continue;
      for (std::size_t b = 0; b < tree.branch_name.size(); ++b) {
        INFO(rack.name << " on " << tree.branch_name[b]);
        if (tree.branch_to[b] == bus) CHECK(tree.branch_room[b] == room);
      }
    }
  }
  const RackPlan plan = plan_racks(scenario);
  CHECK(plan.rows_of(0) == Indices{0, 1, 2});  // so that CDUs 1 and 4 stand in west, 2 and 3 in east
}

TEST_CASE("a row gets air of its own room, and none of another", "[rooms]") {
  const Plant plant = build_plant(read(hall()));
  const auto node = [&](std::size_t number) { return plant.nodes[number].name; };
  CHECK(node(tests::link_named(plant, "row_1.supply").from_node) == "west.plenum");
  CHECK(node(tests::link_named(plant, "row_1.exhaust").to_node) == "west");
  CHECK(node(tests::link_named(plant, "row_2.supply").from_node) == "east.plenum");
  CHECK(node(tests::link_named(plant, "network_row_2.intake").from_node) == "west");
}

TEST_CASE("each room warns of its own dew point", "[rooms][condensation]") {
  const Scenario scenario = read(hall());
  const Texts warnings = condensation_warnings(scenario, make_outdoors(scenario));
  REQUIRE(warnings.size() == 1);  // of electrical rooms the air is that outside on a mild day
  CHECK(warnings.front() ==
        "doors and air handlers of west may drip: water of 18.00 degC is less than 2 K above the dew point of 17.00 "
        "degC");
  Scenario damp = scenario;
  damp.cooling.rooms.front().humidity.dew_point_k = 273.15 + 16.5;
  CHECK(condensation_warnings(damp, make_outdoors(damp)).size() == 2);
}

TEST_CASE("a hall on one supply is drawn with all of it, by the names of its diagram", "[rooms][layout]") {
  std::string text = hall();
  text.replace(text.find("2N"), 2, "single");
  for (const bool has_ups : {true, false}) {
    const std::size_t ups = text.find("ups: { modules: 1, hardware: ups_1500kw }");
    if (!has_ups) {
      text.replace(ups, text.find('\n', ups) - ups, "ups: none");
      text.erase(text.find("  rooms: { volume: 200 m3"));
    }
    const Scenario scenario = read(text);
    const Plant plant = build_plant(scenario);
    std::set<std::string> drawn, built;
    for (const LayoutBox& box : hall_layout(layout_floor(scenario, plant))) {
      if (box.kind == "transformer" || box.kind == "ups" || box.kind == "pdu") drawn.insert(box.name);
    }
    for (const std::string& branch : plant.power_tree.branch_name) {
      if (!branch.ends_with(".bypass")) built.insert(branch);  // in the cabinets of its UPS
    }
    CHECK(drawn == built);
    CHECK(drawn.contains("ups_a") == has_ups);
    CHECK(drawn.contains("pdu_5"));
  }
}

TEST_CASE("an in-row unit is drawn in the row or room of its air, or where `at` puts it", "[rooms][layout]") {
  const std::string unit =
      "{ hardware: in_row_unit_30kw, air_temperature: 24 degC, liquid: { from: chilled_water.supply, to: "
      "chilled_water.return }, ";
  const Scenario scenario =
      read_scenario_text("extends: ../tests/unit/mistakes/base/hall.yaml\nparts:\n  of_row: " + unit +
                             "air: row_2.hot_aisle }\n  of_room: " + unit +
                             "count: 2, air: room_1 }\n  moved: " + unit + "air: room_1, at: row_3 }\n",
                         beside_scenarios);
  const Plant plant = build_plant(scenario);
  std::map<std::string, double> y_m;
  for (const LayoutBox& box : hall_layout(layout_floor(scenario, plant))) y_m[box.name] = box.centre_m[1];
  const auto is_in_row = [&](const char* part, const char* rack) {
    return std::abs(y_m.at(part) - y_m.at(rack)) < 0.2;
  };
  CHECK(is_in_row("of_row", "row_2.rack_1"));
  CHECK(is_in_row("moved", "row_3.rack_1"));
  CHECK(y_m.at("of_room_1") != y_m.at("of_room_2"));  // rows of a room in turn
}

TEST_CASE("rooms are drawn apart, each with what stands in it", "[rooms][layout]") {
  const Scenario scenario = read(hall());
  const Plant plant = build_plant(scenario);
  const std::vector<LayoutBox> boxes = hall_layout(layout_floor(scenario, plant));
  std::map<std::string, LayoutBox> named;
  for (const LayoutBox& box : boxes) named[box.name] = box;
  const LayoutBox &east = named.at("east"), &west = named.at("west");
  CHECK(east.kind == "room");
  const auto end = [](const LayoutBox& box, double sign) { return box.centre_m[1] + sign * box.size_m[1] / 2; };
  CHECK(end(east, 1.0) < end(west, -1.0) - 1.0);
  std::map<std::string, std::set<std::string>> in;
  for (const LayoutBox& box : boxes) {
    if (box.kind == "room" || box.parent.starts_with("yard") || box.kind == "generator" || box.kind == "transformer" ||
        box.kind == "ups" || box.kind == "supply_pipe" || box.kind == "return_pipe")
      continue;
    const bool is_in_east = end(box, 1.0)<end(east, 1.0), is_in_west = end(box, -1.0)> end(west, -1.0);
    INFO(box.name);
    CHECK(is_in_east != is_in_west);
    if (box.kind == "rack" || box.kind == "cdu" || box.kind == "crah" || box.kind == "network_rack")
      in[is_in_east ? "east" : "west"].insert(box.name);
    if (box.kind != "pdu") continue;
    const auto branch = electrical::find_branch(plant.power_tree, box.name);
    REQUIRE(branch);
    CHECK(plant.power_tree.branch_room[*branch] == (is_in_east ? 0 : 1));
  }
  CHECK(in["east"] == std::set<std::string>{"row_2.rack_1", "row_2.rack_2", "row_3.rack_1", "row_3.rack_2", "cdu_2",
                                            "cdu_3", "crah_1", "crah_2", "network_rack_1", "network_rack_2"});
  CHECK(in["west"].contains("row_1.rack_3"));
  CHECK(in["west"].contains("row_4.rack_2"));
  CHECK(in["west"].contains("cdu_4"));
  CHECK(in["west"].contains("crah_5"));
  CHECK(in["west"].size() == 5 + 2 + 3 + 3);
}

TEST_CASE("a hall of one room may give it a name", "[rooms]") {
  const std::string text = hall();
  Scenario scenario = read_scenario(std::filesystem::path(WATTLOOP_SOURCE_DIR) / "scenarios" / "halls" / "mixed.yaml");
  const Plant before = build_plant(scenario);
  scenario.cooling.rooms.front().name = "hall_1";
  const Plant after = build_plant(scenario);
  REQUIRE(before.rooms.size() == after.rooms.size());
  CHECK(before.rooms.front().name == "room_1");
  CHECK(after.rooms.front().name == "hall_1");
  CHECK(before.map.state_count == after.map.state_count);
  CHECK(hangs_on(after, "air handler").at("crah_1").front() == "hall_1");
}
