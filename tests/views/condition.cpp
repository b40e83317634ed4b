// What is wrong at a time: crossed out, hatched and said, from states of motors and switches, counts of GPUs and flows of loops.
#include "viz/hall/condition.hpp"

#include <algorithm>

#include "tests/support/catch.hpp"
#include "tests/support/halls/regular_hall.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/results/writer/results_writer.hpp"
#include "viz/hall/equipment_lines.hpp"
#include "viz/hall/scene.hpp"
#include "viz/pages/page.hpp"

using namespace wattloop;
using namespace wattloop::tests;
using namespace wattloop::viz;

namespace {

/// Two rows of two racks; each state is that at 0 s and that at 60 s.
struct BoxLine {
  std::string name;
  float before, after;
};

struct Table {
  std::string group, item, column;
  std::vector<BoxLine> items;
};

Scene scene_of(const std::vector<Table>& tables, double at_s, const std::vector<twin::EventRecord>& events = {}) {
  static const TemporaryFolder folder;
  const auto file = folder.path() / "condition.h5";
  const twin::HallCounts counts{.rows = 2, .racks = 4, .loops = 2, .cdus_per_loop = 1};
  twin::ResultsWriter writer(file, "2026-01-01T00:00:00");
  std::vector<Table> all{{"racks", "rack", "max_die_temperature", {}}};
  for (const char* rack : {"row_1.rack_1", "row_1.rack_2", "row_2.rack_1", "row_2.rack_2"})
    all[0].items.push_back({rack, 320.0F, 330.0F});
  all.insert(all.end(), tables.begin(), tables.end());
  std::vector<std::size_t> numbers;
  for (const Table& reported : all) {
    twin::TableSpec table{reported.group, reported.item, {}, {{reported.column, "1", reported.column}}, 0,
                          reported.item};
    for (const BoxLine& item : reported.items) table.items.push_back(item.name);
    if (reported.item.empty()) table.items.clear();
    numbers.push_back(writer.add_table(table));
  }
  for (const bool is_after : {false, true}) {
    for (std::size_t t = 0; t < all.size(); ++t) {
      std::vector<float> row;
      for (const BoxLine& item : all[t].items) row.push_back(is_after ? item.after : item.before);
      writer.append(numbers[t], is_after ? 60.0 : 0.0, row);
    }
  }
  writer.write_layout(twin::hall_layout(counts));
  writer.write_events(events);
  writer.finish();
  return read_scene(twin::ResultsReader(file), {.at_s = at_s}, file.string());
}

const SceneBox& box(const Scene& scene, const std::string& name) {
  for (const SceneBox& shown : scene.boxes)
    if (shown.box.name == name) return shown;
  FAIL("no box " << name);
  throw 0;
}

const Table pumps{"motors",
                  "motor",
                  "state",
                  {{"cdu_1.pump_a", 1, 2},
                   {"cdu_1.pump_b", 0, 2},
                   {"cdu_10.pump_a", 1, 1},
                   {"cdu_2.pump_a", 1, 0},
                   {"cdu_2.pump_b", 0, 0}}};

}  // namespace

TEST_CASE("a CDU has failed where all its pumps have, and is idle where none runs", "[condition]") {
  const Scene before = scene_of({pumps}, 0.0), after = scene_of({pumps}, 60.0);
  CHECK(box(before, "cdu_1").condition == Condition::running);  // a standby that rests is nothing wrong
  CHECK(box(before, "cdu_2").condition == Condition::running);
  CHECK(before.wrong.empty());
  CHECK(box(after, "cdu_1").condition == Condition::failed);
  CHECK(box(after, "cdu_2").condition == Condition::idle);
  CHECK(after.wrong == std::vector<std::string>{"CDU 1, pump a and b failed", "CDU 2 is idle"});
}

TEST_CASE("the utility comes before what follows from it", "[condition]") {
  const Table feeds{
      "breakers", "breaker", "state", {{"utility_a", 1, 0}, {"utility_b", 1, 0}, {"transformer_a.output", 1, 0}}};
  const Table loops{"loops", "loop", "flow", {{"loop_1", 40, 40}, {"loop_2", 40, 0.1F}}};
  const Table off{"facility", "", "shut_down_gpus", {{"", 0, 96}}};
  CHECK(scene_of({feeds, loops, off, pumps}, 0.0).wrong.empty());
  const Scene after = scene_of({feeds, loops, off}, 60.0);
  CHECK(after.wrong == std::vector<std::string>{"both utility feeds are open", "no flow in loop 2", "96 GPUs off"});
  const Table one{"breakers", "breaker", "state", {{"utility_a", 1, 0}, {"utility_b", 1, 1}}};
  CHECK(scene_of({one}, 60.0).wrong == std::vector<std::string>{"utility feed a is open"});
}

TEST_CASE("what goes on with something wrong in it is marked and said until it is restored", "[condition]") {
  const std::vector<twin::EventRecord> events{{10.0, "stick", "cdu_1.valve", "from free to 30 %"},
                                              {20.0, "fail", "tower_1.fan", "from running to stopped"},
                                              {30.0, "restore", "tower_1.fan", "from stands to works"}};
  CHECK(scene_of({}, 0.0, events).wrong.empty());
  const Scene after = scene_of({}, 60.0, events);
  CHECK(after.wrong == std::vector<std::string>{"CDU 1: valve stuck at 30 %"});
  CHECK(box(after, "cdu_1").condition == Condition::impaired);
  CHECK(box(after, "cdu_2").condition == Condition::running);
}

TEST_CASE("a part is failed at the instant of its repair, whose record has the temperatures before it", "[condition]") {
  const Table repaired{"motors", "motor", "state", {{"cdu_1.pump_a", 2, 1}, {"cdu_1.pump_b", 1, 1}}};
  const std::vector<twin::EventRecord> events{{10.0, "fail", "cdu_1.pump_a", "scenario"},
                                              {60.0, "restore", "cdu_1.pump_a", "scenario"}};
  const std::vector<twin::EventRecord> earlier{{10.0, "fail", "cdu_1.pump_a", "scenario"},
                                               {50.0, "restore", "cdu_1.pump_a", "scenario"}};
  CHECK(scene_of({repaired}, 60.0, events).wrong == std::vector<std::string>{"CDU 1, pump a failed"});
  CHECK(scene_of({repaired}, 60.0, earlier).wrong.empty());
}

TEST_CASE("racks with throttled GPUs have a foot in the colour of that, others none", "[condition]") {
  Scene scene = scene_of({}, 0.0);
  for (const bool is_isometric : {false, true}) {
    scene.is_isometric = is_isometric;
    const auto feet = [&] {
      const Page page = compose_page(scene, {}, 1600, 1000);
      return std::ranges::count_if(page.drawing.shapes, [](const auto& shape) {
        const auto* polygon = std::get_if<Polygon>(&shape);
        const auto* stroke = std::get_if<Stroke>(&shape);
        return (polygon != nullptr && polygon->colour == ink::throttled) ||
               (stroke != nullptr && stroke->colour == ink::throttled);
      });
    };
    for (SceneBox& shown : scene.boxes) shown.throttled_fraction = 0.0;
    CHECK(feet() == 0);
    for (SceneBox& shown : scene.boxes) shown.throttled_fraction = shown.box.name == "row_1.rack_2" ? 0.25 : 0.0;
    CHECK(feet() == 1);
  }
}

TEST_CASE("beyond limits alone the worst is said, beside what is wrong how many", "[condition]") {
  const std::vector<twin::EventRecord> events{
      {10.0, "limit_exceeded", "cooler_1", "loading 106.8 %, more heat than its air takes: 100.0 %; and 2 more of 3"},
      {70.0, "limit_cleared", "cooler_1", "loading after 1 min; at worst 109.0 %; and 2 more of 3"}};
  CHECK(scene_of({}, 0.0, events).wrong.empty());
  CHECK(scene_of({}, 60.0, events).wrong ==
        std::vector<std::string>{"cooler 1: loading 106.8 %, more heat than its air takes: 100.0 %",
                                 "2 more limits exceeded now"});
  CHECK(scene_of({pumps}, 60.0, events).wrong ==
        std::vector<std::string>{"CDU 1, pump a and b failed", "CDU 2 is idle", "3 limits exceeded now"});
  const std::vector<twin::EventRecord> one{{10.0, "limit_exceeded", "cooler_1", "loading 106.8 %, it is hot: 100.0 %"}};
  CHECK(scene_of({pumps}, 60.0, one).wrong ==
        std::vector<std::string>{"CDU 1, pump a and b failed", "CDU 2 is idle",
                                 "cooler 1: loading 106.8 %, it is hot: 100.0 %"});
}

TEST_CASE("lines of equipment report generators that may not start apart from idle ones", "[condition]") {
  SceneBox a{.box = {.name = "generator_a_1", .kind = "generator"}}, b = a, c = a;
  b.box.name = "generator_a_2", c.box.name = "generator_a_3";
  a.condition = b.condition = Condition::idle;
  a.is_disabled = true;
  Scene scene;
  scene.boxes = {a, b, c};
  REQUIRE(equipment_lines(scene).size() == 1);
  CHECK(equipment_lines(scene)[0].state == "1 of 3 idle, 1 disabled");
}

TEST_CASE("a rack that clogs is named by its row, and marked", "[condition]") {
  const std::vector<twin::EventRecord> events{{10.0, "clog", "row_1.rack_2.coolant", "from 100 % to 50 %"}};
  const Scene after = scene_of({}, 60.0, events);
  CHECK(after.wrong == std::vector<std::string>{"row 1, rack 2: coolant clogged to 50 %"});
  CHECK(box(after, "row_1.rack_2").condition == Condition::impaired);
  CHECK(box(after, "row_1.rack_1").condition == Condition::running);
}

TEST_CASE("lines of equipment report loops, how many failed and how many are idle", "[condition]") {
  const Table loops{"loops", "loop", "flow", {{"loop_1", 40, 0}, {"loop_2", 40, 40}}};
  const Scene after = scene_of({pumps, loops}, 60.0);
  const std::vector<EquipmentLine> lines = equipment_lines(after);
  REQUIRE(lines.size() == 3);
  CHECK((lines[0].name == "loop 1" && lines[0].state == "no flow" && lines[0].is_wrong));
  CHECK((lines[1].name == "loop 2" && !lines[1].is_wrong));
  CHECK((lines[2].name == "CDU 1 and 2" && lines[2].state == "1 failed, 1 idle" && lines[2].is_wrong));
}

TEST_CASE("what tripped and batteries that carry or are empty are said, sources that rest are not", "[condition]") {
  const Table switches{
      "breakers",
      "breaker",
      "state",
      {{"generator_a_1", 0, 0}, {"substation_b", 1, 0}, {"ups_a", 1, 0}, {"ups_b", 1, 0}, {"utility_a", 1, 1}}};
  const Table batteries{"ups", "ups", "battery_power", {{"ups_a", 0, 0}, {"ups_c", 0, 5e5F}}};
  const std::vector<twin::EventRecord> events{{10.0, "fail", "ups_a.module_1", "3 of 4"},
                                              {15.0, "fail", "ups_a.module_2", "2 of 4"},
                                              {30.0, "tripped", "ups_a", "overload"},
                                              {30.0, "tripped", "substation_b", "overload"},
                                              {40.0, "open", "ups_b", "scenario"}};
  CHECK(scene_of({switches, batteries}, 0.0, events).wrong.empty());
  const Scene after = scene_of({switches, batteries}, 60.0, events);
  CHECK(after.wrong == std::vector<std::string>{"UPS a: module 1 and 2 out", "substation b and UPS a tripped",
                                                "UPS b is open", "UPS c on battery"});
}

TEST_CASE("a CDU that lost one of its pumps has one stroke, and fans of a door do not make a rack idle",
          "[condition]") {
  const Table motors{"motors",
                     "motor",
                     "state",
                     {{"cdu_1.pump_a", 1, 2},
                      {"cdu_1.pump_b", 0, 1},
                      {"row_1.rack_1.door_fans", 1, 0},
                      {"row_1.rack_2.door_fans", 1, 2}}};
  const Scene before = scene_of({motors}, 0.0), after = scene_of({motors}, 60.0);
  CHECK(box(before, "cdu_1").condition == Condition::running);
  CHECK(box(after, "cdu_1").condition == Condition::impaired);
  CHECK(box(after, "row_1.rack_1").condition == Condition::running);
  CHECK(box(after, "row_1.rack_2").condition == Condition::running);
}
