// Pictures of results files: drawn, written, read back and looked at, pixel by pixel.
#include "viz/pages/picture.hpp"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "core/text/problem.hpp"
#include "tests/support/catch.hpp"
#include "tests/views/synthetic_run.hpp"
#include "viz/commands/view_command.hpp"

using namespace wattloop;
using namespace wattloop::tests;
using namespace wattloop::viz;

namespace {

Image picture_of(const std::filesystem::path& results, const std::string& at = "",
                 const std::string& field = "die_temperature") {
  ViewOptions options{results, results.parent_path() / "pictures" / (results.stem().string() + ".png"), at, field};
  options.scale = "auto";
  REQUIRE(view(options) == 0);
  return read_png(options.output);
}

bool is_near(const Colour& a, const Colour& b, int levels) {
  return std::abs(a.red - b.red) <= levels && std::abs(a.green - b.green) <= levels &&
         std::abs(a.blue - b.blue) <= levels;
}

long count_near(const Image& image, const Colour& colour, int levels = 2) {
  return std::count_if(image.pixels.begin(), image.pixels.end(),
                       [&](const Colour& pixel) { return is_near(pixel, colour, levels); });
}

/// Share of pixels that are not paper, in columns `from` to `to` (fractions of the width).
double inked_share(const Image& image, double from, double to) {
  long inked = 0, all = 0;
  for (int y = 0; y < image.height; ++y) {
    for (int x = int(from * image.width); x < int(to * image.width); ++x, ++all)
      inked += !is_near(image.at(x, y), ink::paper, 2);
  }
  return double(inked) / double(all);
}

// The ends of our scale in the published table of plasma (1/9 and 8/9 of the way): 46039f and fdca26.
constexpr Colour lowest{0x46, 0x03, 0x9f}, highest{0xfd, 0xca, 0x26};

}  // namespace

TEST_CASE("a picture of a rack shows the hall at its left and curves at its right", "[picture]") {
  const Image image = picture_of(write_run({}, "rack"));
  CHECK(image.width == 1600);
  CHECK(image.height == 1000);
  CHECK(inked_share(image, 0.0, 0.5) > 0.20);
  CHECK(inked_share(image, 0.0, 0.5) < 0.80);
  CHECK(inked_share(image, 0.6, 1.0) > 0.30);      // the panels have a tint
  CHECK(count_near(image, ink::vermilion) > 200);  // the curve of the hottest die
  CHECK(count_near(image, ink::blue) > 200);
}

TEST_CASE("the hottest GPU is drawn in the colour of its temperature, and only when it is hot", "[picture]") {
  // 45 to 70 °C is the scale's whole range, so the hot GPU has the colour of its end and the others that of
  // its start.
  const auto results = write_run({}, "hot_gpu");
  const Image when_hot = picture_of(results);
  const Image before = picture_of(results, "2 min");
  CHECK(count_near(when_hot, highest) > count_near(before, highest) + 60);
  CHECK(count_near(when_hot, lowest) > 1000);
}

TEST_CASE("the hottest GPU stands where the camera says", "[picture]") {
  SyntheticRun run;
  run.hot_gpu = 18;  // in the front row of its node
  const auto file = write_run(run, "place_of_gpu");
  const twin::ResultsReader results(file);
  const Scene scene = read_scene(results, {}, file.string());
  REQUIRE(scene.highest);
  const twin::LayoutBox& gpu = scene.boxes[*scene.highest].box;
  CHECK(gpu.name == "row_1.rack_1.node_3.gpu_3");
  const Page page = compose_page(scene, read_timeline(results, {.shown_s = scene.time_s}), 1600, 1000);
  Metres at_m = gpu.centre_m;
  at_m[2] += gpu.size_m[2] / 2;
  at_m[0] -= gpu.size_m[0] / 3;  // left of where its leader ends, which goes to the right
  const Point place = page.camera->project(at_m);
  const Image image = draw_picture(page, scene);
  const Colour there = image.at(int(place.x), int(place.y));
  INFO(fmt::format("at {:.0f}, {:.0f}: {:02x}{:02x}{:02x}", place.x, place.y, there.red, there.green, there.blue));
  CHECK(is_near(there, highest, 3));
}

TEST_CASE("GPU power can be drawn instead of temperature", "[picture]") {
  const Image image = picture_of(write_run({}, "power"), "5min", "power");
  CHECK(count_near(image, lowest) + count_near(image, highest) > 60);
}

TEST_CASE("a hall of 160 racks is drawn by rack", "[picture]") {
  SyntheticRun run{.counts = {.rows = 8, .racks = 160, .loops = 4, .cdus_per_loop = 3}};
  run.has_gpus = false;
  run.hot_gpu = 64 * 3;  // in the fourth rack
  const Image image = picture_of(write_run(run, "hall"));
  CHECK(inked_share(image, 0.0, 0.5) > 0.15);
  CHECK(count_near(image, highest) > 60);
  CHECK(count_near(image, lowest) > 5000);
}

TEST_CASE("a hall of 1,600 racks is drawn within a minute of patience", "[picture]") {
  SyntheticRun run{.counts = {.rows = 40, .racks = 1600, .loops = 20, .cdus_per_loop = 6}, .duration_s = 300.0};
  run.has_gpus = false;
  CHECK(inked_share(picture_of(write_run(run, "large_hall")), 0.0, 0.5) > 0.10);
}

TEST_CASE("a picture needs no display of the user's, and leaves what was set", "[picture]") {
  const auto results = write_run({}, "display");
  unsetenv("DISPLAY");
  CHECK(inked_share(picture_of(results), 0.0, 0.5) > 0.20);
  CHECK(std::getenv("DISPLAY") == nullptr);
  setenv("DISPLAY", "nowhere.invalid:99", 1);
  CHECK(inked_share(picture_of(results), 0.0, 0.5) > 0.20);
  CHECK(std::string(std::getenv("DISPLAY")) == "nowhere.invalid:99");
  unsetenv("DISPLAY");
}

TEST_CASE("the same results give the same picture", "[picture]") {
  const auto results = write_run({}, "same");
  CHECK(picture_of(results).pixels == picture_of(results).pixels);
}
