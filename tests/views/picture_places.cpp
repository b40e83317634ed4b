// Where pictures put numbers, and of which part and record: a part of the run, unlike racks, groups of events that last. No two numbers are
// equal, so that a neighbour, the next record or the other end would show.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/views/chart_reading.hpp"
#include "tests/views/telling_run.hpp"
#include "twin/results/reader/rack_margins.hpp"
#include "twin/results/writer/results_writer.hpp"
#include "viz/charts/chart.hpp"
#include "viz/charts/event_marks.hpp"
#include "viz/export/derived_fields.hpp"
#include "viz/hall/plan.hpp"
#include "viz/hall/shown_field.hpp"
#include "viz/pages/page.hpp"

using namespace wattloop;
using namespace wattloop::tests;
using namespace wattloop::viz;

namespace {

constexpr double size = 16.0;
const Rectangle area{900.0, 60.0, 660.0, 800.0};

}  // namespace

TEST_CASE("ticks of the whole run above a part of it stand at their times", "[picture_places]") {
  Timeline timeline{
      .begin_s = 600.0, .end_s = 900.0, .run_end_s = 3600.0, .shown_s = 700.0, .panels = {}, .event_lines = {}};
  Curve curve{"facility", ink::blue, {}, {}};
  for (double time_s = 0.0; time_s <= 3600.0; time_s += 10.0) {
    curve.times_s.push_back(time_s);
    curve.values.push_back(50.0 + time_s / 100.0);
  }
  timeline.panels.push_back({"power, kW", {curve}, true});
  Drawing drawing;
  draw_timeline(drawing, timeline, area, size);
  double left = 0.0, right = 0.0;
  std::map<double, double> ticks;  // minutes by their places
  for (const Text& text : texts_in(drawing)) {
    if (text.text.starts_with("whole run: ")) left = text.at.x;
    if (text.size == 0.85 * size && text.align == Align::centre) ticks[text.at.x] = std::stod(text.text);
  }
  for (const auto& line : lines_in(drawing, area, ink::blue, 20)) right = std::max(right, line.back().x);
  REQUIRE(ticks.size() >= 4);
  REQUIRE(right > left);
  for (const auto& [x, minutes] : ticks) CHECK(x == Approx(left + (right - left) * minutes / 60.0).margin(3.0));
}

TEST_CASE("curves of a rack have the numbers of their own columns", "[picture_places]") {
  const ReportingRun run{.counts = {.rows = 1, .racks = 3, .loops = 1, .cdus_per_loop = 1}};
  const twin::ResultsReader results(write_reporting_run(run, "rack_curves"));
  const Timeline timeline = read_timeline(results, {.shown_s = 0.0, .rack = "row_1.rack_2"});
  std::size_t found = 0;
  for (const auto& [label, column] :
       std::array<std::pair<const char*, const char*>, 4>{{{"hottest die", "max_die_temperature"},
                                                           {"mean die", "mean_die_temperature"},
                                                           {"coolant return", "return_temperature"},
                                                           {"coolant supply", "supply_temperature"}}}) {
    for (const Panel& panel : timeline.panels)
      for (const Curve& curve : panel.curves) {
        if (curve.label != label) continue;
        INFO(label);
        ++found;
        for (const std::size_t record : {0, 17, 60})
          CHECK(curve.values.at(record) ==
                Approx(reported(run, "racks", column, 1, curve.times_s[record]) - 273.15).margin(1e-3));
      }
  }
  CHECK(found == 4);
}

TEST_CASE("margins colour racks as they are in the record that the title names", "[picture_places]") {
  const TemporaryFolder folder;
  const std::vector<std::string> names{"row_1.rack_1", "row_1.rack_2"};
  const std::vector<twin::ColumnSpec> columns{{"max_die_temperature", "K", "die"}};
  {
    twin::ResultsWriter writer(folder / "x.h5", "2026-01-01T00:00:00");
    writer.write_layout(std::vector<twin::LayoutBox>{{names[0], "rack", "", {1.0, 0.0, 1.1}, {0.6, 1.2, 2.2}},
                                                     {names[1], "rack", "", {2.0, 0.0, 1.1}, {0.6, 1.2, 2.2}}});
    const auto racks =
        writer.add_table({.group = "racks", .item_dimension = "rack", .items = names, .columns = columns});
    const auto limits = writer.add_table(
        {.group = std::string(twin::rack_limits_group), .item_dimension = "rack", .items = names, .columns = columns});
    for (int minute = 0; minute < 4; ++minute)
      writer.append(racks, 60.0 * minute, std::vector{330.0F + float(minute), 340.0F + 2.0F * float(minute)});
    writer.append(limits, 0.0, std::vector{360.0F, 360.0F});
    writer.finish();
  }
  const twin::ResultsReader results(folder / "x.h5");
  for (const int minute : {0, 1, 2, 3}) {
    const Scene scene = read_scene(results, {.at_s = 60.0 * minute, .field = "margin", .has_fixed_scales = true}, "x");
    CHECK(scene.time_s == 60.0 * minute);
    CHECK(scene.boxes.at(0).value == Approx(30.0 - minute));
    CHECK(scene.boxes.at(1).value == Approx(20.0 - 2.0 * minute));
  }
}

TEST_CASE("numbers of racks of a hall in space stand at the feet of these racks", "[picture_places]") {
  const ReportingRun run{.counts = {.rows = 1, .racks = 8, .loops = 1, .cdus_per_loop = 1}};
  const auto file = write_reporting_run(run, "rack_feet");
  const twin::ResultsReader results(file);
  const Scene scene = read_scene(results, {.at_s = 0.0, .is_isometric = true}, file.string());
  const Page page = compose_page(scene, {}, 1600, 1000);
  REQUIRE(page.camera);
  std::size_t numbers = 0;
  for (const SceneBox& shown : scene.boxes) {
    if (shown.box.kind != "rack") continue;
    Metres foot_m = corner_m(shown.box, 0);
    foot_m[0] = shown.box.centre_m[0];
    const Point foot = page.camera->project(foot_m);
    const std::string number = shown.box.name.substr(shown.box.name.rfind('_') + 1);
    for (const Text& text : texts_in(page.drawing)) {
      if (text.text != number || text.align != Align::centre || std::abs(text.at.y - foot.y) > 30.0) continue;
      INFO(shown.box.name);
      ++numbers;
      CHECK(text.at.x == Approx(foot.x).margin(1.0));
    }
  }
  CHECK(numbers >= 4);
}

TEST_CASE("the share of a rack that is down is hatched on the plan, from its foot", "[picture_places]") {
  Scene scene;
  scene.boxes = {{.box = {"row_1.rack_1", "rack", "", {1.0, 0.0, 1.0}, {0.6, 1.2, 2.2}}, .value = 20.0},
                 {.box = {"row_1.rack_2", "rack", "", {2.0, 0.0, 1.0}, {0.6, 1.2, 2.2}}, .value = 20.0}};
  scene.parts = {"margin, K", -10.0, 30.0, &colour_maps::margin};
  for (const double share : {0.25, 0.75}) {
    scene.boxes[1].off_fraction = share;
    const Rectangle page{0.0, 0.0, 400.0, 400.0};
    const PlanLayout plan = plan_of(scene, page, size);
    const Rectangle rack = plan.at(scene.boxes[1].box);
    Drawing drawing;
    draw_plan(drawing, scene, plan, size);
    double highest = rack.bottom;
    for (const auto& shape : drawing.shapes) {
      const auto* stroke = std::get_if<Stroke>(&shape);
      if (stroke == nullptr || stroke->points.size() != 2 || stroke->points[0].x == stroke->points[1].x ||
          stroke->points[0].y == stroke->points[1].y)
        continue;
      for (const Point& point : stroke->points)
        if (point.x > rack.left - 1.0) highest = std::max(highest, point.y);
    }
    CHECK((highest - rack.bottom) / rack.height == Approx(share).margin(0.03));
  }
}

TEST_CASE("a group of events has its number at the first of them", "[picture_places]") {
  const EventSummaryRoom room{.area = {940.0, 60.0, 630.0, 800.0},
                              .left = 1000.0,
                              .right = 1460.0,
                              .begin_s = 0.0,
                              .end_s = 3600.0,
                              .size = size};
  const std::vector<twin::EventSummaryLine> event_lines{{900.0, 2700.0, 7, "7 nodes switched off", twin::Weight::loss}};
  const PlacedEvents placed = place_events(event_lines, 0.0, room);
  REQUIRE(placed.entries.size() == 1);
  CHECK(placed.entries[0].x == Approx(1000.0 + 460.0 / 4.0));
}

TEST_CASE("GPUs that are off are not said to be without power, too", "[picture_places]") {
  for (const double down : {48.0, 80.0}) {
    ReportingRun run{.counts = reporting_site(), .off_gpus = 48.0, .down_gpus = down};
    const auto file = write_reporting_run(run, down > 48.0 ? "some_dark" : "all_off");
    const Scene scene = read_scene(twin::ResultsReader(file), {.at_s = 0.0}, file.string());
    CHECK(std::ranges::count(scene.wrong, std::string("48 GPUs off")) == 1);
    CHECK(std::ranges::count(scene.wrong, std::string("32 GPUs without power or booting")) == (down > 48.0 ? 1 : 0));
    CHECK(std::ranges::count_if(scene.wrong, [](const std::string& words) {
            return words.ends_with("without power or booting");
          }) == (down > 48.0 ? 1 : 0));
  }
}

TEST_CASE("in ParaView a part is on where one of its motors is, and has failed where all have", "[picture_places]") {
  const TemporaryFolder folder;
  {
    twin::ResultsWriter writer(folder / "x.h5", "2026-01-01T00:00:00");
    const auto motors = writer.add_table({.group = "motors",
                                          .item_dimension = "motor",
                                          .items = {"cdu_1.pump_a", "cdu_1.pump_b", "cdu_2.pump_a", "chiller_1"},
                                          .columns = {{"state", "1", "state"}}});
    writer.append(motors, 0.0, std::vector{1.0F, 0.0F, 0.0F, 1.0F});
    writer.append(motors, 60.0, std::vector{2.0F, 1.0F, 2.0F, 0.0F});
    writer.append(motors, 120.0, std::vector{2.0F, 2.0F, 0.0F, 2.0F});
    writer.finish();
  }
  const std::vector<std::string> parts{"cdu_1", "cdu_2", "chiller_1"};
  const XdmfField field = state_field(twin::ResultsReader(folder / "x.h5"), parts, std::array{0.0, 60.0, 120.0});
  REQUIRE(field.inlined.size() == 3);
  CHECK(field.inlined[0] == std::vector{1.0F, 0.0F, 1.0F});
  CHECK(field.inlined[1] == std::vector{1.0F, 2.0F, 0.0F});
  CHECK(field.inlined[2] == std::vector{2.0F, 0.0F, 2.0F});
}
