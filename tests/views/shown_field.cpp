// Any recorded quantity colours what it is of: values against those written, scales, and names that are not there.
#include "viz/hall/shown_field.hpp"

#include <algorithm>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/views/synthetic_run.hpp"
#include "twin/results/reader/rack_margins.hpp"
#include "twin/results/writer/results_writer.hpp"
#include "viz/pages/page.hpp"

using namespace wattloop;
using namespace wattloop::tests;
using namespace wattloop::viz;
using Catch::Matchers::Contains;

namespace {

std::filesystem::path site() {
  static const auto file = write_run({.counts = whole_site(), .duration_s = 120.0, .has_gpus = false}, "fields");
  return file;
}

Scene scene_of(const std::string& field, bool has_fixed_scales = true) {
  return read_scene(twin::ResultsReader(site()), {.at_s = 60.0, .field = field, .has_fixed_scales = has_fixed_scales},
                    "fields");
}

double value_of(const Scene& scene, const std::string& name) {
  for (const std::vector<SceneBox>* boxes : {&scene.boxes, &scene.outdoors})
    for (const SceneBox& shown : *boxes)
      if (shown.box.name == name) return shown.value;
  FAIL("no box " << name);
  return 0.0;
}

}  // namespace

TEST_CASE("a column of racks colours racks in a unit that reads well, over all of the run", "[field]") {
  const Scene scene = scene_of("it_power");
  CHECK(value_of(scene, "row_1.rack_1") == Approx(55.0));
  CHECK(value_of(scene, "row_8.rack_20") == Approx(55.0 + 0.1 * 159));
  CHECK(scene.parts.title == "racks: IT power, kW");
  CHECK(scene.is_scaled_by_run);
  CHECK(scene.parts.low <= 55.0);
  CHECK(scene.parts.high >= 70.9);
  REQUIRE(scene.highest);
  CHECK(scene.boxes[*scene.highest].box.name == "row_8.rack_20");
}

TEST_CASE("a column of equipment colours what it is of and leaves racks without a colour", "[field]") {
  const Scene scene = scene_of("ups.loading");
  CHECK(value_of(scene, "ups_a") == Approx(45.0));
  CHECK(value_of(scene, "ups_b") == Approx(65.0));
  CHECK(scene.parts.low == 0.0);
  CHECK(scene.parts.high == 100.0);
  CHECK(std::ranges::none_of(scene.boxes,
                             [](const SceneBox& shown) { return shown.box.kind == "rack" && shown.has_value(); }));
  REQUIRE(scene.highest);
  CHECK(scene.boxes[*scene.highest].box.name == "ups_b");
  CHECK(scene.range_text(ScaleOf::parts, 45.0, 65.0) == "45 to 65 %");
}

TEST_CASE("what stands outside is coloured, too, and is not framed in the hall", "[field]") {
  const Scene scene = scene_of("towers.outlet_temperature", false);
  CHECK(value_of(scene, "tower_3") == Approx(299.0 + 2 * 0.25 - 273.15).margin(1e-4));
  CHECK_FALSE(scene.highest);
  CHECK_FALSE(scene.is_scaled_by_run);
}

TEST_CASE("a name that several have, or none, is reported with those that there are", "[field]") {
  CHECK_THROWS_WITH(scene_of("loading"), Contains("several have a 'loading'") && Contains("ups.loading"));
  CHECK_THROWS_WITH(scene_of("it_powr"), Contains("did you mean 'it_power'?"));
  CHECK_THROWS_WITH(scene_of("mean_die"), Contains("did you mean 'mean_die_temperature'?"));
  CHECK_THROWS_WITH(scene_of("flow"), Contains("of racks: die_temperature, power, it_power"));
  const std::string all = fields_text(twin::ResultsReader(site()));
  CHECK_THAT(all, Contains("racks.max_die_temperature") && Contains("degC") && Contains("towers.outlet_temperature"));
  CHECK_THAT(all, !Contains("facility.") && !Contains("loops."));
}

TEST_CASE("with --field power and die_temperature pictures are what they were", "[field]") {
  CHECK(scene_of("power").parts.title == "rack power, kW");
  CHECK(scene_of("power").parts.low == 0.0);
  CHECK(scene_of("die_temperature").parts.limits.size() == 3);
}

TEST_CASE("margins colour racks on one scale, the least is framed, and the legend names the limit", "[field]") {
  const TemporaryFolder folder;
  const std::vector<twin::ColumnSpec> columns{{"max_die_temperature", "K", "die"},
                                              {"inlet_air_temperature", "K", "air"}};
  std::vector<std::string> names;
  std::vector<twin::LayoutBox> layout;
  for (int rack = 1; rack <= 6; ++rack) {
    names.push_back("row_1.rack_" + std::to_string(rack));
    layout.push_back({names.back(), "rack", "", {rack * 1.0, 0.0, 1.1}, {0.6, 1.2, 2.2}});
  }
  {
    twin::ResultsWriter writer(folder / "x.h5", "2026-01-01T00:00:00");
    writer.write_layout(layout);
    const auto racks =
        writer.add_table({.group = "racks", .item_dimension = "rack", .items = names, .columns = columns});
    const auto limits = writer.add_table(
        {.group = std::string(twin::rack_limits_group), .item_dimension = "rack", .items = names, .columns = columns});
    std::vector<float> now, allowed;
    for (int rack = 0; rack < 6; ++rack) now.push_back(340.0F + 2.0F * float(rack)), allowed.push_back(360.0F);
    for (int rack = 0; rack < 6; ++rack) now.push_back(300.0F - float(rack)), allowed.push_back(308.0F);
    writer.append(racks, 0.0, now);
    writer.append(limits, 0.0, allowed);
    writer.finish();
  }
  const twin::ResultsReader results(folder / "x.h5");
  CHECK(usual_field_name(results, false) == "margin");
  CHECK(usual_field_name(results, true) == "die_temperature");
  CHECK(usual_field_name(twin::ResultsReader(site()), false) == "die_temperature");
  const Scene scene = read_scene(results, {.at_s = 0.0, .field = "margin", .has_fixed_scales = true}, "x");
  // Margins of air 8, 9 ... 13 K, of dies 20, 18 ... 10 K.
  for (const auto& [rack, margin_k] : {std::pair(1, 8.0), std::pair(2, 9.0), std::pair(3, 10.0), std::pair(4, 11.0),
                                       std::pair(5, 12.0), std::pair(6, 10.0)})
    CHECK(value_of(scene, "row_1.rack_" + std::to_string(rack)) == Approx(margin_k));
  REQUIRE(scene.highest);
  CHECK(scene.boxes[*scene.highest].box.name == "row_1.rack_1");
  CHECK(scene.extreme_word == "nearest its limit");
  CHECK(scene.parts.title == "margin, K, to inlet air 34.85 °C, die 86.85 °C");
  CHECK(scene.parts.low == -10.0);
  CHECK(scene.parts.high == 30.0);
  CHECK(scene.parts.limits == std::vector<double>{0.0});
  const Scene fitted_to_shown = read_scene(results, {.at_s = 0.0, .field = "margin"}, "x");
  CHECK(fitted_to_shown.parts.low == Approx(7.0));  // 8 to 12 K, widened to 5 K, on round numbers
  CHECK(fitted_to_shown.parts.high == Approx(13.0));
  CHECK_THAT(fields_text(results), Contains("margin ") && Contains("of racks to the nearest limit that acts"));
  CHECK_THROWS_WITH(read_scene(twin::ResultsReader(site()), {.at_s = 60.0, .field = "margin"}, "x"),
                    Contains("the results hold no limits of racks"));
}

namespace {

/// Six racks 11 K from a limit of air, their dies 20, 21 ... K from theirs; `air_k`: warmer before rack `warm` by so much.
Scene quiet_scene(float air_k, bool fits_quiet, int warm = 1) {
  const TemporaryFolder folder;
  const std::vector<twin::ColumnSpec> columns{{"max_die_temperature", "K", "die"},
                                              {"inlet_air_temperature", "K", "air"}};
  std::vector<std::string> names;
  std::vector<twin::LayoutBox> layout;
  std::vector<float> now, allowed(6, 360.15F);
  for (int rack = 1; rack <= 6; ++rack) {
    names.push_back("row_1.rack_" + std::to_string(rack));
    layout.push_back({names.back(), "rack", "", {rack * 1.0, 0.0, 1.1}, {0.6, 1.2, 2.2}});
    now.push_back(341.15F - float(rack));
  }
  for (int rack = 1; rack <= 6; ++rack)
    now.push_back(297.15F + (rack == warm ? air_k : 0.0F)), allowed.push_back(308.15F);
  {
    twin::ResultsWriter writer(folder / "x.h5", "2026-01-01T00:00:00");
    writer.write_layout(layout);
    const auto racks =
        writer.add_table({.group = "racks", .item_dimension = "rack", .items = names, .columns = columns});
    const auto limits = writer.add_table(
        {.group = std::string(twin::rack_limits_group), .item_dimension = "rack", .items = names, .columns = columns});
    writer.append(racks, 0.0, now);
    writer.append(limits, 0.0, allowed);
    writer.finish();
  }
  return read_scene(twin::ResultsReader(folder / "x.h5"),
                    {.at_s = 0.0, .field = "margin", .has_fixed_scales = true, .fits_quiet = fits_quiet}, "x");
}

}  // namespace

TEST_CASE("where no rack is near a limit, racks show the margins by which they differ, and the legend names them",
          "[field]") {
  const Scene quiet = quiet_scene(0.0F, true);
  for (int rack = 1; rack <= 6; ++rack)
    CHECK(value_of(quiet, "row_1.rack_" + std::to_string(rack)) == Approx(19.0 + rack).margin(1e-3));
  CHECK(quiet.parts.title == "margin, K, to die 87 °C; fitted; frame: nearest limit");
  CHECK(quiet.quiet_words == "11.0 K to inlet air 35 °C, 6 racks within 0.1 K");
  REQUIRE(
      quiet.highest);  // all have that margin, the first is framed; a die of another rack is nearest to its own limit
  CHECK(quiet.boxes[*quiet.highest].box.name == "row_1.rack_1");
  const Scene warm = quiet_scene(0.5F, true, 3);
  CHECK(warm.quiet_words == "10.5 K to inlet air 35 °C");
  REQUIRE(warm.highest);
  CHECK(warm.boxes[*warm.highest].box.name == "row_1.rack_3");
  CHECK(value_of(warm, "row_1.rack_3") == Approx(22.0).margin(1e-3));  // its colour
  CHECK(quiet.extreme_word == "least margin");
  CHECK(quiet.parts.low == Approx(20.0));
  CHECK(quiet.parts.high == Approx(25.0));
  CHECK(quiet.parts.limits.empty());
  const Colour least = quiet.parts.at(20.0), most = quiet.parts.at(25.0);  // grey to blue: red is for what is near
  CHECK(std::abs(least.red - least.blue) < 10);
  CHECK(most.blue > most.red + 100);
}

TEST_CASE("one rack near a limit, or --scale fixed, keeps the scale that is the same for every run", "[field]") {
  for (const Scene& scene : {quiet_scene(1.5F, true), quiet_scene(0.0F, false)}) {
    CHECK(scene.parts.low == -10.0);
    CHECK(scene.parts.high == 30.0);
    CHECK(scene.quiet_words.empty());
    CHECK(value_of(scene, "row_1.rack_6") == Approx(11.0).margin(1e-3));
  }
}
