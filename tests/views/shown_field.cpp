// Any recorded quantity colours what it is of: values against those written, scales, and names that are not there.
#include "viz/hall/shown_field.hpp"

#include <algorithm>

#include "tests/support/catch.hpp"
#include "tests/views/synthetic_run.hpp"
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
