// Pictures against those kept in tests/views/references, which somebody looked at. Compared by tiles of 16 x 16 pixels: at most two
// of 2,418 may differ by more than 6 of 255 levels in the mean. Planted changes must differ by more.
//
//   WATTLOOP_WRITE_REFERENCES=1 build/ci/test_views "[references]"      writes them anew: look at them, then commit
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "tests/support/catch.hpp"
#include "tests/views/telling_run.hpp"
#include "viz/drawing/image.hpp"
#include "viz/pages/page.hpp"
#include "viz/pages/picture.hpp"

using namespace wattloop;
using namespace wattloop::tests;
using namespace wattloop::viz;

namespace {

constexpr int width = 1000, height = 625, tile = 16;
constexpr double noticed_levels = 6.0;
constexpr int most_tiles = 2;

double difference(const Colour& a, const Colour& b) {
  return (std::abs(a.red - b.red) + std::abs(a.green - b.green) + std::abs(a.blue - b.blue)) / 3.0;
}

/// Tiles that differ.
int tiles_that_differ(const Image& a, const Image& b) {
  REQUIRE((a.width == b.width && a.height == b.height));
  int count = 0;
  for (int top = 0; top + tile <= a.height; top += tile) {
    for (int left = 0; left + tile <= a.width; left += tile) {
      double sum = 0.0;
      for (int y = top; y < top + tile; ++y)
        for (int x = left; x < left + tile; ++x) sum += difference(a.at(x, y), b.at(x, y));
      count += sum > noticed_levels * tile * tile ? 1 : 0;
    }
  }
  return count;
}

struct Case {
  std::string name;
  ReportingRun run;
  bool is_isometric = false;
  std::string only_rack{};
};

std::vector<Case> cases() {
  ReportingRun rack{.counts = {.rows = 1, .racks = 1, .loops = 1, .cdus_per_loop = 1}, .has_gpus = true};
  ReportingRun off{.counts = reporting_site(), .off_gpus = 64.0};
  return {{"plan", off},
          {"isometric", {.counts = reporting_site()}, true},
          {"rack", rack},
          {"elevation", rack, false, "row_1.rack_1"}};
}

struct Drawn {
  Scene scene;
  Timeline timeline;
};

Drawn read(const Case& one) {
  const auto file = write_reporting_run(one.run, "reference_" + one.name);
  const twin::ResultsReader results(file);
  const SceneRequest request{
      .at_s = 1200.0, .has_fixed_scales = true, .is_isometric = one.is_isometric, .rack = one.only_rack};
  Scene scene = read_scene(results, request, file.string());
  Timeline timeline = read_timeline(results, {.shown_s = 1200.0});
  return {std::move(scene), std::move(timeline)};
}

Image painted(const Drawn& drawn) {
  return draw_picture(compose_page(drawn.scene, drawn.timeline, width, height), drawn.scene);
}

std::filesystem::path reference(const std::string& name) {
  return std::filesystem::path(WATTLOOP_SOURCE_DIR) / "tests" / "views" / "references" / (name + ".png");
}

}  // namespace

TEST_CASE("pictures are those that were looked at", "[references]") {
  for (const Case& one : cases()) {
    INFO(one.name);
    const Image image = painted(read(one));
    if (std::getenv("WATTLOOP_WRITE_REFERENCES") != nullptr) write_png(image, reference(one.name));
    CHECK(tiles_that_differ(image, read_png(reference(one.name))) <= most_tiles);
  }
}

TEST_CASE("a wrong colour range, racks that are missing, swapped rows and a lost label are noticed", "[references]") {
  const Image kept = read_png(reference("plan"));
  const Drawn right = read(cases()[0]);
  const auto is_noticed = [&](const Drawn& wrong) { return tiles_that_differ(painted(wrong), kept) > most_tiles; };

  Drawn wrong = right;
  wrong.scene.parts.high += 40.0;
  CHECK(is_noticed(wrong));

  wrong = right;
  std::erase_if(wrong.scene.boxes, [](const SceneBox& shown) { return shown.box.name == "row_1.rack_2"; });
  wrong.scene.highest.reset();
  CHECK(is_noticed(wrong));

  wrong = right;
  for (SceneBox& shown : wrong.scene.boxes)
    if (shown.box.kind == "rack") shown.box.centre_m[1] = 4.2 - shown.box.centre_m[1];
  CHECK(is_noticed(wrong));

  Page page = compose_page(right.scene, right.timeline, width, height);
  const auto label = std::ranges::find_if(page.drawing.shapes, [](const auto& shape) {
    const auto* text = std::get_if<Text>(&shape);
    return text != nullptr && text->text.starts_with("tower 1 to 3");
  });
  REQUIRE(label != page.drawing.shapes.end());
  page.drawing.shapes.erase(label);
  CHECK(tiles_that_differ(draw_picture(page, right.scene), kept) > most_tiles);
}
