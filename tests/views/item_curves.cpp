// Curves of what has many items, against numbers written by hand of which no two are equal.
#include "viz/charts/item_curves.hpp"

#include <algorithm>
#include <cmath>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/views/chart_reading.hpp"
#include "twin/results/writer/results_writer.hpp"
#include "viz/charts/chart.hpp"

using namespace wattloop;
using namespace wattloop::tests;
using namespace wattloop::viz;

namespace {

/// Five records, a minute apart.
ItemCourse course_of(const std::vector<std::string>& items, const std::vector<std::vector<double>>& by_item) {
  ItemCourse course{.items = items};
  for (std::size_t record = 0; record < 5; ++record) {
    course.times_s.push_back(60.0 * double(record));
    for (const std::vector<double>& values : by_item) course.values.push_back(values[record]);
  }
  return course;
}

Panel panel_of(const ItemCourse& course, bool is_least_worst = false) {
  Panel panel;
  add_item_curves(
      panel, course,
      {.all = "coolant supply", .each = "supply", .colour = ink::blue, .is_least_worst = is_least_worst, .alike = 0.5});
  return panel;
}

std::vector<std::string> labels_of(const Panel& panel) {
  std::vector<std::string> labels;
  for (const Curve& curve : panel.curves) labels.push_back(curve.label);
  return labels;
}

using Labels = std::vector<std::string>;

const std::vector<std::string> loops{"loop_1", "loop_2", "loop_3"};
const double gap = std::nan("");

/// Loops and racks of a hall in which loop 2 loses its flow, rack 3 its clocks and rack 1 its air.
twin::ResultsReader hall(const TemporaryFolder& folder) {
  twin::ResultsWriter writer(folder / "x.h5", "2026-01-01T00:00:00");
  const auto table = [](const char* group, const char* item, std::vector<std::string> items,
                        std::vector<twin::ColumnSpec> columns) {
    return twin::TableSpec{
        .group = group, .item_dimension = item, .items = std::move(items), .columns = std::move(columns)};
  };
  const std::size_t facility =
                        writer.add_table(table("facility", "", {}, {{"power", "W", "all"}, {"it_power", "W", "IT"}})),
                    coolant =
                        writer.add_table(table("loops", "loop", {"loop_1", "loop_2"},
                                               {{"supply_temperature", "K", "supply"}, {"flow", "kg/s", "flow"}})),
                    racks = writer.add_table(table("racks", "rack", {"row_1.rack_1", "row_1.rack_2", "row_1.rack_3"},
                                                   {{"it_power", "W", "power"},
                                                    {"max_die_temperature", "K", "die"},
                                                    {"inlet_air_temperature", "K", "air"},
                                                    {"flow", "kg/s", "flow"},
                                                    {"throttled_gpus", "1", "slow"}}));
  for (int minute = 0; minute < 5; ++minute) {
    const auto later = float(minute);
    writer.append(facility, 60.0 * minute, std::vector<float>{9000.0F + later, 8000.0F + later});
    writer.append(coolant, 60.0 * minute,
                  std::vector<float>{305.0F + later, 313.0F + later, 7.0F, minute == 3 ? 0.1F : 6.0F + later});
    writer.append(racks, 60.0 * minute,
                  std::vector<float>{1000.0F, 2000.0F + 10.0F * later, 3000.0F,              //
                                     330.0F, 331.0F + 3.0F * later, 340.0F - 2.0F * later,   //
                                     minute == 2 ? 312.0F : 298.0F, 299.0F + later, 297.0F,  //
                                     0.5F, minute == 4 ? 0.2F : 0.6F, 0.7F,                  //
                                     0.0F, 4.0F + later, 1.0F});
  }
  writer.write_events(std::vector<twin::EventRecord>{{60.0, "fail", "cdu_1", ""}});
  writer.finish();
  return twin::ResultsReader(folder / "x.h5");
}

const Curve& curve_in(const Timeline& timeline, const std::string& panel, const std::string& label) {
  for (const Panel& one : timeline.panels)
    for (const Curve& curve : one.curves)
      if (one.title == panel && curve.label == label) return curve;
  FAIL("no curve " << label << " in " << panel);
  throw 0;
}

}  // namespace

TEST_CASE("a few items that differ have curves of their own, those that agree one, the worst first", "[item_curves]") {
  const std::vector<double> cool{32, 33, 34, 33, 32}, near{32.2, 33.3, 34.4, 33.1, 31.9}, hot{32, 34, 40, 41, 38};
  const Panel panel = panel_of(course_of(loops, {cool, hot, near}));
  CHECK(labels_of(panel) == Labels{"supply, loop 2", "supply, loop 1 and 3"});
  CHECK(panel.curves[0].values == hot);
  CHECK(panel.curves[0].colour == ink::blue);
  CHECK(panel.curves[1].values[2] == Approx(34.2));
  CHECK(panel.curves[1].colour != ink::blue);
  CHECK(panel.curves[0].lows.empty());
  CHECK(labels_of(panel_of(course_of(loops, {cool, hot, near}), true)).front() == "supply, loop 1 and 3");
  CHECK(labels_of(panel_of(course_of(loops, {cool, near, cool}))) == Labels{"coolant supply"});
  CHECK(labels_of(panel_of(course_of({"loop_1"}, {hot}))) == Labels{"coolant supply"});
  ItemCurves named{.all = "all", .each = "supply", .gap = "no flow"};
  Panel still;
  add_item_curves(still, course_of(loops, {cool, {32, 33, 34, gap, gap}, {32, gap, gap, 33, 32}}), named);
  CHECK(labels_of(still) == Labels{"supply, loop 1", "supply, loop 2 (no flow)", "supply, loop 3"});
  CHECK(panel_of(course_of({"loop_1"}, {{gap, gap, gap, gap, gap}})).curves.empty());
}

TEST_CASE("of many items the worst is drawn and named, over a band of all", "[item_curves]") {
  const std::vector<std::string> names{"cdu_1", "cdu_2", "cdu_3", "cdu_4", "cdu_5"};
  const ItemCourse course = course_of(
      names,
      {{50, 51, 52, 53, 54}, {40, 41, 20, 43, 44}, {60, 61, 62, 63, 64}, {55, 96, 57, 58, gap}, {45, 46, 47, 48, 49}});
  const Panel panel = panel_of(course);
  REQUIRE(labels_of(panel) == Labels{"supply, CDU 4"});
  const Curve& curve = panel.curves[0];
  CHECK(std::vector(curve.values.begin(), curve.values.end() - 1) == std::vector<double>{55, 96, 57, 58});
  CHECK(std::isnan(curve.values.back()));
  CHECK(curve.lows == std::vector<double>{40, 41, 20, 43, 44});
  CHECK(curve.highs == std::vector<double>{60, 96, 62, 63, 64});
  const Panel least = panel_of(course, true);
  CHECK(labels_of(least) == Labels{"supply, CDU 2"});
  CHECK(least.curves[0].values == std::vector<double>{40, 41, 20, 43, 44});
}

TEST_CASE("the band of all items is drawn from the lowest to the highest, and a line has gaps", "[item_curves]") {
  Timeline timeline{.end_s = 240.0, .run_end_s = 240.0, .panels = {}, .event_lines = {}};
  timeline.panels.push_back(
      {"loading, %", {{"CDU 4", ink::blue, {0, 60, 120, 180, 240}, {50, 52, gap, 54, 56}}}, true});
  Curve& curve = timeline.panels[0].curves[0];
  curve.lows = {40, 41, 20, 43, 44};
  curve.highs = {60, 96, 62, 63, 64};
  Drawing drawing;
  const Rectangle area{900.0, 60.0, 660.0, 800.0};
  draw_timeline(drawing, timeline, area, 16.0);
  const ReadChart chart = read_chart(drawing, 16.0);
  double low = 1e9, high = -1e9;
  for (const auto& shape : drawing.shapes) {
    const auto* polygon = std::get_if<Polygon>(&shape);
    if (polygon == nullptr || polygon->colour.opacity == 255) continue;
    for (const Point& point : polygon->points) {
      low = std::min(low, chart.panels[0].values.at(point.y));
      high = std::max(high, chart.panels[0].values.at(point.y));
    }
  }
  CHECK(low == Approx(20.0).margin(1e-6));
  CHECK(high == Approx(96.0).margin(1e-6));
  auto lines = lines_in(drawing, chart.panels[0].area, ink::blue, 1);
  std::erase_if(lines, [](const auto& line) { return line.size() != 2; });  // the leader to its name has three points
  REQUIRE(lines.size() == 2);
  CHECK(chart.time_s.at(lines[0].back().x) == Approx(60.0).margin(1.0));
  CHECK(chart.time_s.at(lines[1].front().x) == Approx(180.0).margin(1.0));
}

TEST_CASE("a loop without flow has no temperature in curves", "[item_curves]") {
  const TemporaryFolder folder;
  const ItemCourse supply = read_course(hall(folder), "loops", "supply_temperature");
  REQUIRE(supply.items == std::vector<std::string>{"loop_1", "loop_2"});
  CHECK(supply.at(2, 1) == 315.0);
  CHECK(std::isnan(supply.at(3, 1)));
  CHECK(supply.at(3, 0) == 308.0);
  const Timeline timeline = read_timeline(hall(folder), {.shown_s = 120.0});
  const Curve& second = curve_in(timeline, "temperature, °C", "supply, loop 2");
  CHECK(second.values[2] == Approx(41.85));
  CHECK(std::isnan(second.values[3]));
  CHECK(curve_in(timeline, "coolant flow of a loop, kg/s", "loop 2").values[3] == Approx(0.1));
}

TEST_CASE("a field that was asked for has a panel, and its worst record is shown", "[item_curves]") {
  const TemporaryFolder folder;
  const twin::ResultsReader results = hall(folder);
  const ShownField air{
      .group = "racks", .column = "inlet_air_temperature", .title = "air, °C", .unit = "°C", .offset = -273.15};
  const ShownField flow{.group = "racks", .column = "flow", .title = "flow, kg/s", .unit = "kg/s"};
  const Timeline timeline = read_timeline(results, {.shown_s = 120.0, .field = air});
  CHECK(timeline.panels[0].title == "power, kW");
  CHECK(timeline.panels[1].title == "air, °C");
  CHECK(curve_in(timeline, "air, °C", "row 1, rack 1").values[2] == Approx(38.85));
  CHECK(curve_in(timeline, "air, °C", "row 1, rack 2").values[4] == Approx(29.85));
  const auto warmest = worst_time_of(results, air), least = worst_time_of(results, flow);
  REQUIRE((warmest && least));
  CHECK(warmest->time_s == 120.0);
  CHECK(warmest->words == "when row 1, rack 1 is hottest");
  CHECK(least->time_s == 240.0);
  CHECK(least->words == "when row 1, rack 2 is lowest");
  CHECK(worst_time_of(results, air, "row_1.rack_2")->time_s == 240.0);
  const ShownField die{.group = "racks", .column = "max_die_temperature", .unit = "°C"};
  CHECK(worst_time_of(results, die, "row_1.rack_3")->time_s == 60.0);  // at 0 it was hotter, before the failure
}

TEST_CASE("curves of a rack are those of this rack", "[item_curves]") {
  const TemporaryFolder folder;
  const Timeline timeline = read_timeline(hall(folder), {.shown_s = 120.0, .rack = "row_1.rack_2"});
  CHECK(curve_in(timeline, "row 1, rack 2: power, kW", "IT power").values[3] == Approx(2.03));
  CHECK(curve_in(timeline, "row 1, rack 2: temperature, °C", "hottest die").values[3] == Approx(66.85));
  CHECK(curve_in(timeline, "row 1, rack 2: temperature, °C", "inlet air").values[3] == Approx(28.85));
  CHECK(curve_in(timeline, "row 1, rack 2: GPUs", "throttled").values[3] == 7.0);
  CHECK(curve_in(timeline, "row 1, rack 2: coolant flow, kg/s", "flow").values[4] == Approx(0.2));
  CHECK(timeline.panels.size() == 4);
}
