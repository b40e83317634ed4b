// One rack from the front: whose GPUs, at which heights, with which values, and what is reported where it cannot be drawn.
#include "viz/hall/elevation.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/views/synthetic_run.hpp"
#include "tests/views/telling_run.hpp"
#include "viz/pages/page.hpp"

using namespace wattloop;
using namespace wattloop::tests;
using namespace wattloop::viz;
using Catch::Matchers::Contains;

namespace {

const twin::HallCounts two_rows{.rows = 2, .racks = 12, .loops = 1, .cdus_per_loop = 1};

Scene scene_of(const std::string& rack, const std::string& field = "die_temperature", bool has_gpus = true) {
  const auto file = write_run({.counts = two_rows, .hot_gpu = 8 * 64 + 20, .has_gpus = has_gpus},
                              has_gpus ? "elevation" : "elevation_without");
  return read_scene(twin::ResultsReader(file), {.at_s = 300.0, .field = field, .has_fixed_scales = true, .rack = rack},
                    "run");
}

struct WrittenText {
  std::string text;
  Point at;
};

std::vector<WrittenText> texts_of(const Scene& scene) {
  Drawing drawing;
  draw_elevation(drawing, scene, {0.0, 0.0, 800.0, 700.0}, 16.0);
  std::vector<WrittenText> texts;
  for (const auto& shape : drawing.shapes)
    if (const auto* text = std::get_if<Text>(&shape)) texts.push_back({text->text, text->at});
  return texts;
}

const WrittenText& text_of(const std::vector<WrittenText>& texts, const std::string& text) {
  const auto found = std::ranges::find(texts, text, &WrittenText::text);
  REQUIRE(found != texts.end());
  return *found;
}

}  // namespace

TEST_CASE("the elevation of a rack has its own GPUs and no others", "[elevation]") {
  const Scene scene = scene_of("row_2.rack_3");  // the ninth of twelve, where GPU 20 of 64 is hot
  CHECK(std::ranges::count(scene.boxes, "gpu", [](const SceneBox& shown) { return shown.box.kind; }) == 64);
  CHECK(std::ranges::count(scene.boxes, "node", [](const SceneBox& shown) { return shown.box.kind; }) == 8);
  REQUIRE(scene.highest);
  CHECK(scene.boxes[*scene.highest].box.name == "row_2.rack_3.node_3.gpu_5");  // 20 = 2 x 8 + 4, from 0
  CHECK(scene.boxes[*scene.highest].value == Approx(70.0).margin(1e-4));
  const std::vector<WrittenText> texts = texts_of(scene);
  CHECK(std::ranges::count(texts, "70.0", &WrittenText::text) == 1);
  CHECK(std::ranges::count(texts, "45.0", &WrittenText::text) == 63);
  CHECK(text_of(texts, "framed: node 3, GPU 5, hottest, 70.0 °C").at.x == 0.0);
  CHECK(text_of(texts, "max 70.0").at.y == Approx(text_of(texts, "node 3").at.y));
  CHECK(text_of(texts, "node 8").at.y > text_of(texts, "node 1").at.y);
}

TEST_CASE("powers of GPUs are those recorded of the rack's own", "[elevation]") {
  const Scene scene = scene_of("row_1.rack_2", "power");
  const std::vector<WrittenText> texts = texts_of(scene);  // GPU k draws 100 + k watts
  for (const int gpu : {64, 65, 127})
    CHECK(std::ranges::count(texts, fmt::format("{}", 100 + gpu), &WrittenText::text) == 1);
  CHECK(std::ranges::count(texts, "163", &WrittenText::text) == 0);  // the last of the rack before
}

TEST_CASE("GPUs without power are off and have no number", "[elevation]") {
  Scene scene = scene_of("row_2.rack_3");
  REQUIRE(scene.gpu_states.size() == scene.boxes.size());
  for (std::size_t i = 0; i < scene.boxes.size(); ++i) {
    if (scene.boxes[i].box.name.starts_with("row_2.rack_3.node_1.gpu")) scene.gpu_states[i] = GpuState::off;
    if (scene.boxes[i].box.name == "row_2.rack_3.node_2.gpu_1") scene.gpu_states[i] = GpuState::throttled;
  }
  const std::vector<WrittenText> texts = texts_of(scene);
  CHECK(std::ranges::count(texts, "45.0", &WrittenText::text) == 63 - 8);
  CHECK(text_of(texts, "max 45.0, off").at.y == Approx(text_of(texts, "node 1").at.y));
  CHECK(text_of(texts, "max 45.0, 1 throttled").at.y == Approx(text_of(texts, "node 2").at.y));
}

TEST_CASE("racks that are not there and GPUs that were not recorded are reported", "[elevation]") {
  CHECK_THROWS_WITH(scene_of("row_2.rack_33"), Contains("did you mean 'row_2.rack_3'?"));
  CHECK_THROWS_WITH(scene_of("row_1.rack_1", "die_temperature", false),
                    Contains("the run recorded no values of single GPUs") && Contains("record:"));
  CHECK_THROWS_WITH(scene_of("row_1.rack_1", "it_power"), Contains("is not a value of single GPUs"));
}

TEST_CASE("the page of a rack says what the rack does", "[elevation]") {
  const Scene scene = scene_of("row_2.rack_3");
  const auto figure = [&](const std::string& caption) {
    const auto found = std::ranges::find(scene.key_figures, caption, &KeyFigure::caption);
    return found == scene.key_figures.end() ? std::string("none") : found->value;
  };
  CHECK(figure("IT power") == "55.8 kW");  // 55 kW and 100 W for each of the eight before
  CHECK(figure("hottest die") == "70.0 °C");
  CHECK(figure("coolant") == "none");
}

TEST_CASE("each figure above the page of a rack is that of its own column, of this rack at this time", "[elevation]") {
  const ReportingRun run{.counts = {.rows = 1, .racks = 3, .loops = 1, .cdus_per_loop = 1}, .has_gpus = true};
  const auto file = write_reporting_run(run, "rack_page");
  const Scene scene = read_scene(twin::ResultsReader(file), {.at_s = 1200.0, .rack = "row_1.rack_2"}, file.string());
  const auto expected = [&](const char* column, double factor, double offset, const char* unit) {
    return fmt::format("{:.1f}{}", reported(run, "racks", column, 1, 1200.0) * factor + offset, unit);
  };
  const std::map<std::string, std::string> figures{
      {"IT power", expected("it_power", 1e-3, 0.0, " kW")},
      {"coolant in", expected("supply_temperature", 1.0, -273.15, " °C")},
      {"coolant out", expected("return_temperature", 1.0, -273.15, " °C")},
      {"hottest die", expected("max_die_temperature", 1.0, -273.15, " °C")}};
  CHECK(scene.key_figures.size() == figures.size());
  for (const KeyFigure& figure : scene.key_figures) {
    INFO(figure.caption);
    REQUIRE(figures.contains(figure.caption));
    CHECK(figure.value == figures.at(figure.caption));
  }
}
