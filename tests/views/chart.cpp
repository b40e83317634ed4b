// Curves against the numbers of the file: pixels are read back through the tick labels, as a reader would.
#include "viz/charts/chart.hpp"

#include <algorithm>
#include <cmath>

#include "tests/support/catch.hpp"
#include "tests/views/chart_reading.hpp"
#include "tests/views/telling_run.hpp"
#include "viz/pages/page.hpp"

using namespace wattloop;
using namespace wattloop::tests;
using namespace wattloop::viz;

namespace {

constexpr double size = 16.0;
const Rectangle area{900.0, 60.0, 660.0, 800.0};

/// A curve of the page: its name, and where its numbers stand.
struct Expected {
  std::size_t panel;
  std::string label, group, column;
  std::size_t items;  ///< the mean of so many
  double factor, offset;
  double rounding = 0.0;       ///< of the file's numbers: GPUs are whole
  bool is_of_highest = false;  ///< instead of the mean
  std::size_t first = 0;       ///< of the items
};

/// What docs/views.md promises of a run that has everything.
std::vector<Expected> curves_of(const ReportingRun& run) {
  const double watts = run.power_scale > 100.0 ? 1e-6 : 1e-3;
  const std::size_t loops = std::size_t(run.counts.loops);
  std::vector<Expected> curves{
      {0, "facility", "facility", "power", 1, watts, 0.0},
      {0, "IT power", "facility", "it_power", 1, watts, 0.0},
      {1, "hottest die", "facility", "max_die_temperature", 1, 1.0, -273.15},
      {1, "mean die", "facility", "mean_die_temperature", 1, 1.0, -273.15},
      {1, loops > 1 ? "warmest room" : "room air", "rooms", "temperature", loops, 1.0, -273.15, 0.0, true},
      {2, "throttled", "facility", "throttled_gpus", 1, 1.0, 0.0, 0.5},
      {3, "power", "generators", "power", 4, 4e-6, 0.0}};
  for (std::size_t loop = 0; loop < loops; ++loop)
    for (const std::string way : {"return", "supply"})
      curves.push_back({1, way + ", loop " + std::to_string(loop + 1), "loops", way + "_temperature", 1, 1.0, -273.15,
                        0.0, false, loop});
  return curves;
}

double value_of(const ReportingRun& run, const Expected& curve, double time_s) {
  double sum = 0.0, highest = 0.0;
  for (std::size_t item = curve.first; item < curve.first + curve.items; ++item) {
    const double value = reported(run, curve.group, curve.column, item, time_s);
    sum += value / double(curve.items);
    highest = std::max(highest, value);
  }
  return (curve.is_of_highest ? highest : sum) * curve.factor + curve.offset;
}

struct DrawnChart {
  Timeline timeline;
  Drawing drawing;
  ReadChart read;
};

DrawnChart chart_of(const ReportingRun& run, const std::string& name) {
  DrawnChart chart;
  chart.timeline =
      read_timeline(twin::ResultsReader(write_reporting_run(run, name)), {.shown_s = 0.4 * run.duration_s});
  draw_timeline(chart.drawing, chart.timeline, area, size);
  chart.read = read_chart(chart.drawing, size);
  return chart;
}

const Curve& curve_named(const Panel& panel, const std::string& label) {
  for (const Curve& curve : panel.curves)
    if (curve.label == label) return curve;
  FAIL("no curve " << label);
  throw 0;
}

/// A line of the chart against the numbers of its curve, read through the ticks, from end to end of the axis.
void check_line(const ReadChart& chart, const ReadPanel& panel, const std::vector<Point>& line, double end_s,
                double rounding, const std::function<double(double)>& value) {
  const double width = panel.values.value_per_pixel * panel.area.height;
  const double bin_s = 3.0 * chart.time_s.value_per_pixel;
  CHECK(chart.time_s.at(line.front().x) == Approx(0.0).margin(1.1 * bin_s));
  CHECK(chart.time_s.at(line.back().x) == Approx(end_s).margin(1.1 * bin_s));
  CHECK(line.size() > 50);
  double worst = 0.0;
  for (const Point& point : line)
    worst = std::max(worst, std::abs(panel.values.at(point.y) - value(chart.time_s.at(point.x))));
  CHECK(worst < 0.004 * width + rounding);
}

}  // namespace

TEST_CASE("each curve shows the numbers of its name, read through the ticks of its panel", "[chart]") {
  struct Case {
    double duration_s, power_scale;
    const char *time_title, *power_title;
  };
  const auto [duration_s, power_scale, time_title, power_title] =
      GENERATE(Case{150.0, 1.0, "time, s", "power, kW"}, Case{3600.0, 1.0, "time, min", "power, kW"},
               Case{86400.0, 1000.0, "time, h", "power, MW"}, Case{864000.0, 1000.0, "time, d", "power, MW"});
  INFO(time_title);
  const ReportingRun run{.counts = reporting_site(), .duration_s = duration_s, .power_scale = power_scale};
  const DrawnChart chart = chart_of(run, "curves");
  CHECK(chart.read.time_title == time_title);
  CHECK(chart.read.time_s.at(chart.read.panels[0].area.left) == Approx(0.0).margin(1e-6 * duration_s));
  CHECK(chart.read.time_s.at(chart.read.panels[0].area.right()) == Approx(duration_s).epsilon(1e-6));
  CHECK(chart.read.time_s.ticks >= 4);
  REQUIRE(chart.read.panels.size() == 4);
  CHECK(chart.read.panels[0].title == power_title);
  CHECK(chart.read.panels[1].title == "temperature, °C");
  CHECK(chart.read.panels[0].values.at(chart.read.panels[0].area.bottom) == Approx(0.0).margin(1e-9));
  std::size_t curves = 0;
  for (const Expected& expected : curves_of(run)) {
    INFO(expected.label);
    const Curve& curve = curve_named(chart.timeline.panels[expected.panel], expected.label);
    const ReadPanel& panel = chart.read.panels[expected.panel];
    const auto lines = lines_in(chart.drawing, panel.area, curve.colour, 5);
    REQUIRE(lines.size() == 1);
    check_line(chart.read, panel, lines[0], duration_s, expected.rounding,
               [&](double time_s) { return value_of(run, expected, time_s); });
    ++curves;
  }
  for (const Panel& panel : chart.timeline.panels) curves -= panel.curves.size();
  CHECK(curves == 0);
}

TEST_CASE("the name of a curve stands at its end and is joined to it in its colour", "[chart]") {
  const ReportingRun run{.counts = reporting_site()};
  const DrawnChart chart = chart_of(run, "names");
  for (const Expected& expected : curves_of(run)) {
    INFO(expected.label);
    const ReadPanel& panel = chart.read.panels[expected.panel];
    const Colour colour = curve_named(chart.timeline.panels[expected.panel], expected.label).colour;
    for (const Curve& other : chart.timeline.panels[expected.panel].curves)
      CHECK((other.label == expected.label || other.colour != colour));
    const auto texts = texts_in(chart.drawing);
    const auto name = std::find_if(texts.begin(), texts.end(), [&](const Text& text) {
      return text.text == expected.label && text.at.x > panel.area.right() && text.at.y > panel.area.bottom - size &&
             text.at.y < panel.area.top() + size;
    });
    REQUIRE(name != texts.end());
    std::vector<Point> leader;
    for (const auto& shape : chart.drawing.shapes)
      if (const auto* stroke = std::get_if<Stroke>(&shape); stroke != nullptr && stroke->colour == colour)
        if (stroke->points.front().x > panel.area.right() && stroke->points.size() == 3 &&
            stroke->points.front().y > panel.area.bottom - 1.0 && stroke->points.front().y < panel.area.top() + 1.0)
          leader = stroke->points;
    REQUIRE(leader.size() == 3);
    CHECK(leader[2].y == Approx(name->at.y));
    double mean = 0.0;  // of the last twentieth
    for (int k = 0; k < 100; ++k)
      mean += value_of(run, expected, run.duration_s * (0.95 + 0.05 * (k + 0.5) / 100.0)) / 100.0;
    CHECK(panel.values.at(leader[0].y) == Approx(mean).margin(0.01 * panel.values.value_per_pixel * panel.area.height));
  }
}

TEST_CASE("names of curves that end together stand around their end", "[chart]") {
  Timeline timeline;
  timeline.end_s = timeline.run_end_s = 100.0;
  timeline.shown_s = 50.0;
  Panel panel{.title = "power, kW", .curves = {}, .from_zero = true};
  for (const char* name : {"one", "two", "three", "four"})
    panel.curves.push_back({name, ink::blue, {0.0, 100.0}, {50.0, 50.0}});
  panel.curves.push_back({"far above", ink::green, {0.0, 100.0}, {100.0, 100.0}});
  timeline.panels.push_back(std::move(panel));
  Drawing drawing;
  draw_timeline(drawing, timeline, area, size);
  double middle = 0.0, lowest = 1e9, highest = 0.0;
  for (const Text& text : texts_in(drawing)) {
    if (text.text != "one" && text.text != "two" && text.text != "three" && text.text != "four") continue;
    middle += 0.25 * text.at.y;
    lowest = std::min(lowest, text.at.y);
    highest = std::max(highest, text.at.y);
  }
  double end_y = 0.0;
  for (const auto& shape : drawing.shapes)
    if (const auto* stroke = std::get_if<Stroke>(&shape); stroke != nullptr && stroke->colour == ink::blue)
      if (stroke->points.size() == 3) end_y = stroke->points.front().y;
  CHECK(middle == Approx(end_y).margin(1.0));
  CHECK(highest - lowest == Approx(3.0 * 1.35 * size).margin(1.0));
}

TEST_CASE("names of curves stand where the curves leave the panels, of which the run may be longer", "[chart]") {
  Timeline timeline;
  timeline.end_s = 100.0;
  timeline.run_end_s = 1000.0;
  timeline.shown_s = 50.0;
  timeline.panels.push_back({.title = "power, kW", .curves = {}, .from_zero = true});
  timeline.panels.front().curves.push_back({"rises later", ink::blue, {}, {}});
  for (double time_s = 0.0; time_s <= 1000.0; time_s += 1.0) {
    timeline.panels.front().curves.front().times_s.push_back(time_s);
    timeline.panels.front().curves.front().values.push_back(time_s <= 200.0 ? 20.0 : 100.0);
  }
  Drawing drawing;
  draw_timeline(drawing, timeline, area, size);
  double curve_y = -1.0, leader_y = -2.0;
  for (const auto& shape : drawing.shapes) {
    const auto* stroke = std::get_if<Stroke>(&shape);
    if (stroke == nullptr || stroke->colour != ink::blue) continue;
    if (stroke->points.size() == 3)
      leader_y = stroke->points.front().y;
    else
      curve_y = stroke->points.back().y;  // at last that of the panel, below the whole run
  }
  CHECK(leader_y == Approx(curve_y).margin(1.0));
}

TEST_CASE("the pale band reaches the highest and the lowest sample, however short", "[chart]") {
  Timeline timeline{.end_s = 86400.0, .run_end_s = 86400.0, .panels = {}, .event_lines = {}};
  Curve curve{"spiky", ink::blue, {}, {}};
  for (int second = 0; second <= 86400; ++second) {
    curve.times_s.push_back(second);
    curve.values.push_back(second == 30000 ? 96.0 : second == 60000 ? 12.0 : 55.0 + 0.001 * (second % 7));
  }
  timeline.panels.push_back({"power, kW", {curve}, true});
  Drawing drawing;
  draw_timeline(drawing, timeline, area, size);
  const ReadChart chart = read_chart(drawing, size);
  double low = 1e9, high = -1e9, low_s = 0.0, high_s = 0.0;
  for (const auto& shape : drawing.shapes) {
    const auto* polygon = std::get_if<Polygon>(&shape);
    if (polygon == nullptr || polygon->colour.opacity == 255) continue;
    for (const Point& point : polygon->points) {
      const double value = chart.panels[0].values.at(point.y), time_s = chart.time_s.at(point.x);
      if (value < low) low = value, low_s = time_s;
      if (value > high) high = value, high_s = time_s;
    }
  }
  CHECK(high == Approx(96.0).margin(1e-6));
  CHECK(low == Approx(12.0).margin(1e-6));
  const double pixel_s = chart.time_s.value_per_pixel;
  CHECK(high_s == Approx(30000.0).margin(2 * pixel_s));
  CHECK(low_s == Approx(60000.0).margin(2 * pixel_s));
  const auto lines = lines_in(drawing, chart.panels[0].area, ink::blue, 5);
  REQUIRE(lines.size() == 1);
  for (const Point& point : lines[0]) CHECK(chart.panels[0].values.at(point.y) == Approx(55.0).margin(0.5));  // a mean
}

TEST_CASE("events and the time shown stand at their times on the axis", "[chart]") {
  const ReportingRun run{.counts = reporting_site(), .duration_s = 7200.0};
  const DrawnChart chart = chart_of(run, "marks");
  std::vector<double> events_s, shown_s;
  for (const auto& shape : chart.drawing.shapes) {
    const auto* stroke = std::get_if<Stroke>(&shape);
    if (stroke == nullptr || stroke->points.size() != 2 || stroke->points[0].x != stroke->points[1].x) continue;
    const Rectangle& plot = chart.read.panels.back().area;
    if (stroke->points[0].y != plot.bottom || stroke->points[1].y < stroke->points[0].y) continue;
    CHECK((stroke->points[1].y == plot.top() || stroke->colour == ink::faint));
    const double time_s = chart.read.time_s.at(stroke->points[0].x);
    if (stroke->colour == ink::event) events_s.push_back(time_s);
    if (stroke->colour == ink::text) shown_s.push_back(time_s);
  }
  REQUIRE(events_s.size() == 2);
  const double pixel_s = chart.read.time_s.value_per_pixel;
  CHECK(events_s[0] == Approx(1800.0).margin(pixel_s));
  CHECK(events_s[1] == Approx(5400.0).margin(pixel_s));
  REQUIRE(shown_s.size() == 1);
  CHECK(shown_s[0] == Approx(2880.0).margin(pixel_s));
}

TEST_CASE("no upright passes behind the title of a panel, and numbers stand below the first", "[chart]") {
  DrawnChart chart = chart_of({.counts = reporting_site(), .duration_s = 7200.0}, "titles");
  for (const double time_s : {10.0, 60.0, 120.0}) chart.timeline.event_lines.push_back({time_s, time_s, 1, "now"});
  chart.timeline.shown_s = 30.0;
  Drawing drawing;
  draw_timeline(drawing, chart.timeline, area, size);
  const ReadChart read = read_chart(drawing, size);
  std::size_t titles = 0;
  for (const Text& title : texts_in(drawing)) {
    const auto is_title = [&](const ReadPanel& panel) { return panel.title == title.text; };
    if (!std::ranges::any_of(read.panels, is_title)) continue;
    ++titles;
    for (const auto& shape : drawing.shapes) {
      const auto* stroke = std::get_if<Stroke>(&shape);
      if (stroke == nullptr || stroke->points.size() != 2) continue;
      const auto [low, high] = std::minmax(stroke->points[0].y, stroke->points[1].y);
      const bool is_behind = stroke->points[0].x >= title.at.x - 1.0 &&
                             stroke->points[0].x <= title.at.x + text_width(title) && low < title.at.y + 0.5 * size &&
                             high > title.at.y - 0.5 * size;
      CHECK_FALSE(is_behind);
    }
  }
  CHECK(titles == read.panels.size());
  for (const Text& number : texts_in(drawing))
    if (number.text == "1-3") CHECK(number.at.y < read.panels.front().area.top() + 1.5 * size);
}
