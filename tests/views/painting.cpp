// What is painted stands where the drawing and the camera say, pixel by pixel.
#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/views/chart_reading.hpp"
#include "tests/views/telling_run.hpp"
#include "twin/drawings/names/plan_label.hpp"
#include "viz/hall/plan.hpp"
#include "viz/pages/page.hpp"
#include "viz/pages/picture.hpp"

using namespace wattloop;
using namespace wattloop::tests;
using namespace wattloop::viz;

namespace {

int distance(const Colour& a, const Colour& b) {
  return std::max({std::abs(a.red - b.red), std::abs(a.green - b.green), std::abs(a.blue - b.blue)});
}

struct Painted {
  Scene scene;
  Page page;
  Image image;
};

Painted paint(const ReportingRun& run, const std::string& name, bool is_isometric = false) {
  const auto file = write_reporting_run(run, name);
  const twin::ResultsReader results(file);
  Painted painted;
  painted.scene = read_scene(results, {.at_s = 0.5 * run.duration_s, .is_isometric = is_isometric}, file.string());
  painted.page = compose_page(painted.scene, read_timeline(results, {.shown_s = painted.scene.time_s}), 1600, 1000);
  painted.image = draw_picture(painted.page, painted.scene);
  return painted;
}

/// Middle height of the pixels of that colour in a column; nothing where there are none.
std::optional<double> height_of_colour(const Image& image, int x, const Rectangle& area, const Colour& colour) {
  double sum = 0.0;
  int count = 0;
  for (int y = int(area.bottom) + 1; y < int(area.top()); ++y) {
    if (distance(image.at(x, y), colour) > 24) continue;
    sum += y + 0.5;
    ++count;
  }
  return count > 0 ? std::optional(sum / count) : std::nullopt;
}

/// Pixels darker than paper between two corners.
int ink_in(const Image& image, int left, int bottom, int right, int top) {
  int count = 0;
  for (int y = std::max(bottom, 0); y < std::min(top, image.height); ++y)
    for (int x = std::max(left, 0); x < std::min(right, image.width); ++x)
      count += distance(image.at(x, y), ink::paper) > 60 ? 1 : 0;
  return count;
}

}  // namespace

TEST_CASE("pixels of a curve, read through the tick labels, give back the numbers of the file", "[painting]") {
  const ReportingRun run{.counts = reporting_site()};
  const Painted painted = paint(run, "curve_pixels");
  const double size = 1000 / 62.0;
  const ReadChart chart = read_chart(painted.page.drawing, size);
  struct Case {
    std::size_t panel;
    const char* column;
    Colour colour;
    double factor, offset;
  };
  for (const Case& one : {Case{0, "power", ink::text, 1e-3, 0.0}, Case{0, "it_power", ink::blue, 1e-3, 0.0},
                          Case{1, "max_die_temperature", ink::vermilion, 1.0, -273.15},
                          Case{1, "mean_die_temperature", ink::orange, 1.0, -273.15}}) {
    INFO(one.column);
    const ReadPanel& panel = chart.panels[one.panel];
    int compared = 0, off = 0;
    for (int x = int(panel.area.left) + 6; x < int(panel.area.right()) - 6; x += 5) {
      const auto y = height_of_colour(painted.image, x, panel.area, one.colour);
      const double time_s = chart.time_s.at(x + 0.5);
      if (!y || std::abs(time_s - painted.scene.time_s) < 40.0 || std::abs(time_s - 900.0) < 40.0 ||
          std::abs(time_s - 2700.0) < 40.0)
        continue;  // uprights of events and of the time shown
      ++compared;
      const double expected = reported(run, "facility", one.column, 0, time_s) * one.factor + one.offset;
      off += std::abs(panel.values.at(*y) - expected) > 2.0 * panel.values.value_per_pixel ? 1 : 0;
    }
    CHECK(compared > 60);
    CHECK(off <= compared / 10);  // where another line crosses
  }
}

namespace {

bool is_flat(const SceneBox& shown) {
  for (const char* kind : {"rack", "cdu", "network_rack", "pdu", "crah", "ups", "transformer", "chiller", "generator"})
    if (shown.box.kind == kind) return shown.has_value();
  return false;
}

/// Of sixteen places, how many have the colour of the value of a box.
int as_expected(const Painted& painted, const Scene& scene, const SceneBox& shown,
                const std::function<Point(double along, double across)>& place) {
  const Colour expected = scene.scale_of(shown).at(shown.value);
  int count = 0;
  for (const double along : {-0.3, -0.1, 0.1, 0.3}) {
    for (const double across : {-0.3, -0.1, 0.1, 0.3}) {
      const Point at = place(along, across);
      count += distance(painted.image.at(int(at.x), int(at.y)), expected) <= 4 ? 1 : 0;
    }
  }
  return count;
}

}  // namespace

TEST_CASE("every rack and what stands around it has the colour of its own value where it stands in space",
          "[painting]") {
  const Painted painted = paint({.counts = reporting_site()}, "places", true);
  int compared = 0;
  const auto check = [&](const SceneBox& shown, const Camera& camera, const Scene& scene) {
    const int right = as_expected(painted, scene, shown, [&](double along, double across) {
      Metres top_m = shown.box.centre_m;
      top_m[0] += along * shown.box.size_m[0];
      top_m[1] += across * shown.box.size_m[1];
      top_m[2] += shown.box.size_m[2] / 2;
      return camera.project(top_m);
    });
    INFO(fmt::format("{}: {} of 16 places", shown.box.name, right));
    CHECK(right >= 5);  // others lie under pipes, leaders and edges
    ++compared;
  };
  for (const SceneBox& shown : painted.scene.boxes)
    if (is_flat(shown)) check(shown, *painted.page.camera, painted.scene);
  for (const SceneBox& shown : painted.scene.outdoors)
    if (is_flat(shown)) check(shown, *painted.page.outdoors, painted.scene);
  CHECK(compared == 8 + 4 + 2 + 4 + 2 + 2 + 2 + 2 + 4);
}

TEST_CASE("every rack and what stands around it has the colour of its own value in the plan", "[painting]") {
  const Painted painted = paint({.counts = reporting_site()}, "plan_places");
  REQUIRE(painted.page.plan);
  int compared = 0;
  for (const SceneBox& shown : painted.scene.boxes) {
    if (!is_flat(shown)) continue;
    const Rectangle at = painted.page.plan->at(shown.box);
    const int right = as_expected(painted, painted.scene, shown, [&](double along, double across) {
      return Point{at.middle_x() + along * at.width, at.middle_y() + across * at.height};
    });
    INFO(fmt::format("{}: {} of 16 places", shown.box.name, right));
    const bool is_labelled = !twin::plan_label(shown.box.kind, shown.box.name).empty();
    CHECK(right >= (is_labelled ? 8 : 16));
    ++compared;
  }
  CHECK(compared == 8 + 4 + 2 + 4 + 2 + 2);
}

TEST_CASE("strokes, polygons and texts are painted at their pixels", "[painting]") {
  Painted blank = paint({.counts = {.rows = 1, .racks = 1}}, "blank");
  Page page = blank.page;
  page.drawing = {};
  page.drawing.add(filled({1100, 100, 200, 50}, ink::green));
  page.drawing.add(Stroke{{{1000, 300}, {1400, 300}}, ink::vermilion, 3.0});
  page.drawing.add(Stroke{{{1200, 400}, {1200, 600}}, ink::blue, 3.0});
  page.drawing.add(Text{"HHHH", {1300, 700}, 24.0, ink::text, Align::right});
  page.drawing.add(Text{"HHHH", {1300, 800}, 24.0, ink::text, Align::left});
  page.drawing.add(Text{"HHHH", {1300, 900}, 24.0, ink::text, Align::centre});
  const Image image = draw_picture(page, blank.scene);
  CHECK(distance(image.at(1102, 102), ink::green) <= 2);
  CHECK(distance(image.at(1297, 147), ink::green) <= 2);
  CHECK(distance(image.at(1097, 125), ink::paper) <= 2);
  CHECK(distance(image.at(1303, 125), ink::paper) <= 2);
  CHECK(distance(image.at(1200, 153), ink::paper) <= 2);
  CHECK(distance(image.at(1200, 96), ink::paper) <= 2);
  CHECK(distance(image.at(1003, 300), ink::vermilion) <= 40);
  CHECK(distance(image.at(1397, 300), ink::vermilion) <= 40);
  CHECK(distance(image.at(996, 300), ink::paper) <= 2);
  CHECK(distance(image.at(1200, 304), ink::paper) <= 2);
  CHECK(distance(image.at(1200, 500), ink::blue) <= 40);
  CHECK(distance(image.at(1204, 500), ink::paper) <= 2);
  CHECK(distance(image.at(1200, 604), ink::paper) <= 2);
  CHECK(ink_in(image, 1210, 685, 1301, 715) > 100);  // ends at 1300
  CHECK(ink_in(image, 1302, 685, 1500, 715) == 0);
  CHECK(ink_in(image, 1298, 785, 1390, 815) > 100);  // begins there
  CHECK(ink_in(image, 1100, 785, 1298, 815) == 0);
  const int left = ink_in(image, 1240, 885, 1300, 915), right = ink_in(image, 1300, 885, 1360, 915);
  CHECK(std::abs(left - right) < 0.15 * (left + right));
  const int above = ink_in(image, 1250, 900, 1350, 915), below = ink_in(image, 1250, 885, 1350, 900);
  CHECK(std::abs(above - below) < 0.3 * (above + below));
}

TEST_CASE("hatching of a box of eight pixels has lines and gaps of nearly their own colours", "[painting]") {
  constexpr Colour ground{221, 221, 221}, lines{31, 41, 51};
  Page page;
  page.area = {0.0, 0.0, 120.0, 100.0};
  std::vector<Rectangle> boxes;
  for (int k = 0; k < 8; ++k) boxes.push_back({8.0 + 12.0 * k, 40.0, 8.0, 8.0});
  for (const Rectangle& box : boxes) {
    page.drawing.add(filled(box, ground));
    draw_hatch(page.drawing, box, lines, hatch_pitch(8.0));
  }
  const Image image = draw_picture(page, {});
  for (const Rectangle& box : boxes) {
    int of_lines = 0, of_ground = 0;
    for (int y = int(box.bottom); y < int(box.top()); ++y)
      for (int x = int(box.left); x < int(box.right()); ++x) {
        of_lines += distance(image.at(x, y), lines) < 60 ? 1 : 0;
        of_ground += distance(image.at(x, y), ground) < 30 ? 1 : 0;
      }
    INFO("box at " << box.left);
    CHECK(of_lines >= 8);    // a line from side to side, or two shorter ones
    CHECK(of_ground >= 20);  // a third of its 64
  }
}

TEST_CASE("a rack of eight pixels of which a few GPUs are off has lines that are seen, on pale and on dark colours",
          "[painting]") {
  for (const double value : {10.0, 30.0, -10.0}) {  // grey, dark blue and dark red on the scale of margins
    Scene scene;
    scene.parts = {"margin, K", -10.0, 30.0, &colour_maps::margin};
    SceneBox rack{.box = {"row_1.rack_1", "rack", "", {0.0, 0.0, 1.1}, {1.0, 1.0, 2.2}}, .value = value};
    rack.off_fraction = 0.125;
    scene.boxes = {rack};
    Page page;
    page.area = {0.0, 0.0, 100.0, 60.0};
    const PlanLayout plan = plan_of(scene, {20.0, 20.0, 40.0, 14.4}, 1e-3);  // 1.8 m of floor: 8 pixels per metre
    const Rectangle at = plan.at(rack.box);
    REQUIRE(at.width == Approx(8.0).margin(0.01));
    draw_plan(page.drawing, scene, plan, 1e-3);
    std::erase_if(page.drawing.shapes, [](const auto& shape) { return std::holds_alternative<Text>(shape); });
    const Image image = draw_picture(page, {});
    const Colour ground = colour_maps::margin.at((value + 10.0) / 40.0), lines = ink_on(ground);
    int of_lines = 0, of_ground = 0;
    for (int y = int(at.bottom) + 1; y < int(at.top()); ++y)
      for (int x = int(at.left) + 1; x < int(at.right()); ++x) {
        of_lines += distance(image.at(x, y), lines) < 60 ? 1 : 0;
        of_ground += distance(image.at(x, y), ground) < 30 ? 1 : 0;
      }
    INFO(value << ": " << of_lines << " of lines, " << of_ground << " of ground");
    CHECK(of_lines >= 6);
    CHECK(of_ground >= 15);
  }
}
