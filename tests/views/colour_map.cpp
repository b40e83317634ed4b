// Colour maps and round numbers on scales.
#include "viz/drawing/colour_map.hpp"

#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "twin/drawings/charts/hall_plan.hpp"
#include "twin/drawings/charts/swim_lanes.hpp"
#include "twin/drawings/names/meaning_colours.hpp"
#include "viz/drawing/drawing.hpp"

using namespace wattloop::viz;

namespace {

/// Lightness L* of CIE 1976 of an sRGB colour (IEC 61966-2-1, D65 white).
double lightness(const Colour& colour) {
  const auto linear = [](unsigned char level) {
    const double v = level / 255.0;
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
  };
  const double y = 0.2126 * linear(colour.red) + 0.7152 * linear(colour.green) + 0.0722 * linear(colour.blue);
  return y > 0.008856 ? 116.0 * std::cbrt(y) - 16.0 : 903.3 * y;
}

}  // namespace

TEST_CASE("more is lighter on the maps of heat and load, all the way and evenly", "[colour]") {
  const ColourMap& map = *GENERATE(&colour_maps::heat, &colour_maps::load);
  double least = 1e9, most = 0.0;
  for (int i = 0; i < 20; ++i) {
    const double step = lightness(map.at((i + 1) / 20.0)) - lightness(map.at(i / 20.0));
    least = std::min(least, step);
    most = std::max(most, step);
  }
  CHECK(least > 0.0);
  CHECK(most < 2.2 * least);
  CHECK(lightness(map.at(1.0)) < 86.0);  // still seen on white paper
}

TEST_CASE("a colour map keeps its ends and is grey where nothing is known", "[colour]") {
  CHECK(colour_maps::heat.at(-1.0) == colour_maps::heat.at(0.0));
  CHECK(colour_maps::heat.at(2.0) == colour_maps::heat.at(1.0));
  CHECK(colour_maps::coolant.at(0.0) == Colour{59, 76, 192});
  CHECK(colour_maps::coolant.at(0.5) == Colour{221, 221, 221});
  CHECK(colour_maps::coolant.at(1.0) == Colour{180, 4, 38});
  const Colour unknown = colour_maps::heat.at(std::nan(""));
  CHECK(std::abs(unknown.red - unknown.blue) < 16);
}

TEST_CASE("ticks and ends of scales are round numbers", "[colour]") {
  CHECK(round_ticks(0.0, 57.0, 6) == std::vector{0.0, 10.0, 20.0, 30.0, 40.0, 50.0});
  CHECK(round_ends(41.3, 57.2, 5.0) == std::pair(40.0, 60.0));
  CHECK(round_ends(25.0, 25.0, 4.0) == std::pair(23.0, 27.0));
  CHECK(round_ends(45.0, 70.0, 5.0) == std::pair(45.0, 70.0));
  CHECK(tick_text(0.5, 0.5) == "0.5");
  CHECK(tick_text(25.0, 5.0) == "25");
  CHECK(tick_text(-1e-15, 0.1) == "0.0");
}

TEST_CASE("a temperature has one colour in pictures and reports", "[colour]") {
  for (double c = 30.0; c <= 95.0; c += 2.5) {
    const Colour picture = colour_maps::heat.at((c - 30.0) / 65.0);
    const std::string report = wattloop::twin::heat_colour(c + 273.15);
    CAPTURE(c, report);
    CHECK(report == wattloop::twin::hex_of(picture));
  }
}

TEST_CASE("a margin has one colour in pictures and reports", "[colour]") {
  for (double k = -14.0; k <= 34.0; k += 2.5) {
    const Colour picture = colour_maps::margin.at((k + 10.0) / 40.0);
    CAPTURE(k);
    CHECK(wattloop::twin::margin_colour(k) == wattloop::twin::hex_of(picture));
  }
}

TEST_CASE("what is throttled, a battery and IT power have one colour in pictures, charts and lanes", "[colour]") {
  using namespace wattloop::twin;
  CHECK(ink::throttled == Colour{170, 85, 145});
  CHECK(hex_of(ink::throttled) == meaning::throttled);
  CHECK(hex_of(ink::orange) == meaning::battery);
  const std::vector<Lane> lanes{{"GPUs", {{0.0, 60.0, LaneState::slowed, {}}}},
                                {"UPS", {{0.0, 60.0, LaneState::on_battery, {}}}}};
  const std::string svg = swim_lanes(lanes, 0.0, 60.0);
  CHECK(svg.find(fmt::format("fill='{}'><title>GPUs: throttled", meaning::throttled)) != std::string::npos);
  CHECK(svg.find(fmt::format("fill='{}'><title>UPS: on battery", meaning::battery)) != std::string::npos);
  const std::vector<LayoutBox> racks{{.name = "rack_1", .kind = "rack", .size_m = {0.6, 1.2, 2.0}}};
  const std::vector<std::string> names{"rack_1"};
  const std::vector<float> die_k{360.0F}, none{0.0F}, throttled{3.0F};
  CHECK(hall_plan(racks, names, die_k, none, throttled).find(meaning::throttled) != std::string::npos);
  CHECK(hall_plan(racks, names, die_k, none, none).find(meaning::throttled) == std::string::npos);
}

TEST_CASE("a text on a colour has the ink that stands out from it by 4.5 to 1", "[colour]") {
  using namespace wattloop::twin;
  CHECK(page_ink_on(wattloop::twin::colour_of("#0072b2")) == "#fff");  // 5.2 : 1; black has 4.1 : 1
  CHECK(page_ink_on(wattloop::twin::colour_of("#d55e00")) == "#000");
  CHECK(page_ink_on(wattloop::twin::colour_of("#f0e442")) == "#000");
  CHECK(page_ink_on(wattloop::twin::colour_of("#000000")) == "#fff");
}
