// Equipment beyond its limits, and racks of storage and of switches without power, in pictures and in what ParaView reads.
#include <algorithm>
#include <array>

#include "tests/support/catch.hpp"
#include "tests/support/marked_run.hpp"
#include "tests/support/temporary_folder.hpp"
#include "viz/export/derived_fields.hpp"
#include "viz/hall/equipment_lines.hpp"
#include "viz/hall/part_facts.hpp"
#include "viz/hall/plan.hpp"
#include "viz/hall/scene.hpp"

using namespace wattloop;
using namespace wattloop::tests;
using namespace wattloop::viz;

namespace {

Scene scene_at(double time_s) {
  const TemporaryFolder folder;
  const auto file = write_marked_run(folder / "x.h5");
  return read_scene(twin::ResultsReader(file), {.at_s = time_s, .may_show_gpus = false}, file.string());
}

const SceneBox& box(const Scene& scene, const std::string& name) {
  for (const SceneBox& shown : scene.boxes)
    if (shown.box.name == name) return shown;
  FAIL("no box " << name);
  throw 0;
}

Drawing plan_of_scene(const Scene& scene) {
  Drawing drawing;
  const double size = 16.0;
  draw_plan(drawing, scene, plan_of(scene, {0.0, 0.0, 1200.0, 700.0}, size), size);
  return drawing;
}

std::vector<std::string> texts_of(const Drawing& drawing) {
  std::vector<std::string> texts;
  for (const auto& shape : drawing.shapes)
    if (const auto* text = std::get_if<Text>(&shape)) texts.push_back(text->text);
  return texts;
}

std::size_t strokes_of(const Drawing& drawing, const Colour& colour) {
  return std::size_t(std::ranges::count_if(drawing.shapes, [&](const auto& shape) {
    const auto* stroke = std::get_if<Stroke>(&shape);
    return stroke != nullptr && stroke->colour == colour;
  }));
}

}  // namespace

TEST_CASE("a scene knows what has no power and what is beyond a limit", "[marked]") {
  const Scene before = scene_at(0.0), after = scene_at(60.0);
  CHECK(before.wrong.empty());
  CHECK(box(before, "storage_rack_2").condition == Condition::running);
  CHECK(box(after, "storage_rack_1").condition == Condition::running);
  CHECK(box(after, "storage_rack_2").condition == Condition::dead);
  CHECK(box(after, "network_rack_1").condition == Condition::dead);
  CHECK(box(before, "cdu_2").beyond.empty());
  CHECK(box(after, "cdu_2").beyond == "loading 130.0 % where 100.0 % is allowed");
  CHECK(box(after, "row_1.rack_2.rear_door").beyond == "door heat at worst 40 kW where 30 kW is allowed");
  CHECK(box(after, "row_1.rack_1").beyond.empty());  // its colour is its margin
  CHECK(std::ranges::count(after.wrong, std::string("storage rack 2 and network rack 1 without power")) == 1);
}

TEST_CASE("a plan names racks of storage and equipment, and frames what is beyond a limit", "[marked]") {
  const Drawing before = plan_of_scene(scene_at(0.0)), after = plan_of_scene(scene_at(60.0));
  CHECK(strokes_of(before, ink::beyond) == 0);
  CHECK(strokes_of(after, ink::beyond) == 3);
  const std::vector<std::string> texts = texts_of(after);
  for (const char* label : {"S1", "S2", "1", "2", "CRAH 1", "UPS a", "UPS b", "a1", "b1"})
    CHECK(std::ranges::count(texts, std::string(label)) >= 1);
}

TEST_CASE("a row of racks of storage alone is a row of the plan", "[marked]") {
  std::vector<twin::LayoutBox> boxes;
  for (int row = 0; row < 6; ++row)
    boxes.push_back(
        {"storage_rack_" + std::to_string(row), "storage_rack", "hall", {0.3, 4.0 * row, 1.0}, {9.0, 1.2, 2.2}});
  CHECK(plan_layout(boxes, {0.0, 0.0, 900.0, 200.0}, {}).blocks.size() > 1);  // as many as fill a wide page
}

TEST_CASE("the lines below a plan count what has no power and what is beyond a limit", "[marked]") {
  const Scene scene = scene_at(60.0);
  const std::vector<EquipmentLine> lines = equipment_lines(scene);
  const auto line = [&](const std::string& name) {
    const auto found = std::ranges::find(lines, name, &EquipmentLine::name);
    REQUIRE(found != lines.end());
    return *found;
  };
  CHECK(line("storage rack 1 and 2").state == "1 of 2 without power");
  CHECK(line("storage rack 1 and 2").is_wrong);
  CHECK(line("CDU 1 and 2").state == "1 of 2 beyond a limit");
  CHECK(line("CDU 1 and 2").is_wrong);
  CHECK(line("UPS a and b").state == "1 of 2 beyond a limit");
  CHECK(!line("PDU a and b 1").is_wrong);
}

TEST_CASE("facts of a part say that it has no power or is beyond a limit", "[marked]") {
  const TemporaryFolder folder;
  const twin::ResultsReader results(write_marked_run(folder / "x.h5"));
  const Scene scene = read_scene(results, {.at_s = 60.0, .may_show_gpus = false}, "x");
  const auto facts = part_facts(results, box(scene, "cdu_2"), 60.0);
  REQUIRE(!facts.empty());
  CHECK(facts.front().name == "beyond a limit");
  CHECK(facts.front().value == "loading 130.0 % where 100.0 % is allowed");
  CHECK(part_facts(results, box(scene, "storage_rack_2"), 60.0).front().name == "without power");
}

TEST_CASE("in ParaView equipment beyond a limit has the state 3, and racks of storage without power 0", "[marked]") {
  const TemporaryFolder folder;
  const twin::ResultsReader results(write_marked_run(folder / "x.h5"));
  const std::array times_s{0.0, 60.0};
  const std::vector<twin::BoxesBeyond> beyond = boxes_beyond_over(results, times_s);
  const auto states = [&](const std::vector<std::string>& parts) {
    return state_field(results, parts, times_s, beyond).inlined;
  };
  using States = std::vector<std::vector<float>>;
  CHECK(states({"cdu_1", "cdu_2"}) == States{{1, 1}, {1, 3}});
  CHECK(states({"storage_rack_1", "storage_rack_2"}) ==
        States{{1, 1}, {1, 0}});  // not those of the fans of their doors
  CHECK(states({"network_rack_1"}) == States{{1}, {0}});
  CHECK(states({"ups_a", "ups_b"}) == States{{1, 1}, {1, 3}});  // without a state of its own
  CHECK(states({"crah_1"}).empty());
}

TEST_CASE("a rack beyond its limit is said to be beyond it, by how much", "[marked]") {
  Scene scene;
  scene.part_unit = "K";
  scene.are_margins = true;
  scene.extreme_word = "nearest its limit";
  CHECK(scene.extreme_text(2.5) == "nearest its limit, 2.5 K");
  CHECK(scene.extreme_text(-10.9) == "10.9 K beyond its limit");
  scene.nearest_limit = "inlet air 35 °C";
  CHECK(scene.extreme_text(2.5) == "2.5 K to inlet air 35 °C");
  CHECK(scene.extreme_text(-10.9) == "10.9 K over inlet air 35 °C");
  scene.nearest_limit.clear();
  scene.are_margins = false;
  scene.extreme_word = "lowest";
  CHECK(scene.extreme_text(-10.9) == "lowest, -10.9 K");
  scene.quiet_words = "11.0 K to inlet air 35 °C";
  scene.extreme_word = "least margin";
  CHECK(scene.extreme_text(20.0) == "least margin, 11.0 K to inlet air 35 °C");
}

TEST_CASE("a machine without water has no temperature, and the line of its kind says so", "[marked]") {
  const TemporaryFolder folder;
  const auto file = folder / "x.h5";
  {
    twin::ResultsWriter writer(file, "2026-01-01T00:00:00");
    std::vector<twin::LayoutBox> layout{{"row_1.rack_1", "rack", "", {0.3, 0.6, 1.1}, {0.6, 1.2, 2.2}}};
    for (int crah = 1; crah <= 2; ++crah)
      layout.push_back({"crah_" + std::to_string(crah), "crah", "hall", {3.0 * crah, 3.0, 1.0}, {0.9, 2.6, 2.0}});
    writer.write_layout(layout);
    const auto racks = writer.add_table({.group = "racks",
                                         .item_dimension = "rack",
                                         .items = {"row_1.rack_1"},
                                         .columns = {{"max_die_temperature", "K", "die"}}});
    writer.append(racks, 0.0, std::vector{330.0F});
    const auto crahs = writer.add_table({.group = "crahs",
                                         .item_dimension = "crah",
                                         .items = {"crah_1", "crah_2"},
                                         .columns = {{"return_temperature", "K", "water"}, {"flow", "kg/s", "flow"}}});
    writer.append(crahs, 0.0, std::vector{297.0F, 298.15F, 1e-6F, 8.0F});
    writer.finish();
  }
  const Scene scene = read_scene(twin::ResultsReader(file), {.at_s = 0.0, .may_show_gpus = false}, "x");
  CHECK(!box(scene, "crah_1").has_value());
  CHECK(box(scene, "crah_2").value == Approx(25.0));
  const std::vector<EquipmentLine> lines = equipment_lines(scene);
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].values == "25.0 °C");
  CHECK(lines[0].state == "1 of 2 without water");
}

TEST_CASE("a UPS that is open while its bypass carries has one stroke, and with both open it is idle", "[marked]") {
  const TemporaryFolder folder;
  {
    twin::ResultsWriter writer(folder / "x.h5", "2026-01-01T00:00:00");
    const auto breakers = writer.add_table({.group = "breakers",
                                            .item_dimension = "breaker",
                                            .items = {"ups_a", "ups_a.bypass"},
                                            .columns = {{"state", "1", "state"}}});
    writer.append(breakers, 0.0, std::vector{1.0F, 0.0F});
    writer.append(breakers, 60.0, std::vector{0.0F, 1.0F});
    writer.append(breakers, 120.0, std::vector{0.0F, 0.0F});
    writer.append(breakers, 180.0, std::vector{2.0F, 2.0F});
    writer.finish();
  }
  const twin::ResultsReader results(folder / "x.h5");
  const auto at = [&](double time_s) { return twin::PartConditions(results, time_s).of("ups_a"); };
  CHECK(at(0.0) == Condition::running);
  CHECK(at(60.0) == Condition::impaired);
  CHECK(at(120.0) == Condition::idle);
  CHECK(at(180.0) == Condition::failed);
}
