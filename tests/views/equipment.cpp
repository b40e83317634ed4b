// Equipment takes its colours from the group of its kind, by name.
#include "viz/hall/equipment.hpp"

#include <algorithm>

#include "tests/support/catch.hpp"
#include "tests/views/synthetic_run.hpp"

using namespace wattloop;
using namespace wattloop::tests;
using namespace wattloop::viz;

namespace {

Scene scene_of(const SyntheticRun& run, const std::string& name) {
  const auto file = write_run(run, name);
  return read_scene(twin::ResultsReader(file), {}, file.string());
}

const SceneBox& box(const Scene& scene, const std::string& name) {
  for (const std::vector<SceneBox>* boxes : {&scene.boxes, &scene.outdoors})
    for (const SceneBox& shown : *boxes)
      if (shown.box.name == name) return shown;
  FAIL("no box " << name);
  throw 0;
}

}  // namespace

TEST_CASE("equipment shows what was recorded under its name", "[equipment]") {
  const Scene scene = scene_of({.counts = whole_site(), .duration_s = 60.0, .has_gpus = false}, "equipment");
  CHECK(box(scene, "tower_3").value == Approx(299.0 + 2 * 0.25 - 273.15).margin(1e-4));
  CHECK(box(scene, "tower_3").scale == ScaleOf::coolant);
  CHECK(box(scene, "crah_8").value == Approx(295.0 + 7 * 0.4 - 273.15).margin(1e-4));
  CHECK(box(scene, "network_rack_24").value == Approx(303.0 + 23 * 0.2 - 273.15).margin(1e-4));
  CHECK(box(scene, "ups_b").value == Approx(65.0).margin(1e-4));
  CHECK(box(scene, "ups_b").scale == ScaleOf::load);
  CHECK(box(scene, "pdu_a_1").value == Approx(30.0).margin(1e-4));
  CHECK_FALSE(box(scene, "generator_a_1").has_value());  // not recorded
  CHECK_FALSE(box(scene, "substation_a").has_value());
  CHECK(scene.has_load);
  CHECK(scene.load.high == 100.0);
  CHECK(scene.coolant.low <= 291.0 - 273.15);
  CHECK(scene.coolant.high >= 303.0 + 23 * 0.2 - 273.15);
}

TEST_CASE("network racks and what stands outside do not take part among the racks", "[equipment]") {
  SyntheticRun plain{
      .counts = {.rows = 8, .racks = 160, .loops = 4, .cdus_per_loop = 3}, .duration_s = 60.0, .has_gpus = false};
  SyntheticRun whole = plain;
  whole.counts = whole_site();
  const Scene without = scene_of(plain, "plain"), with = scene_of(whole, "whole");
  REQUIRE(without.highest);
  REQUIRE(with.highest);
  CHECK(with.boxes[*with.highest].box.name == without.boxes[*without.highest].box.name);
  CHECK(without.outdoors.empty());
  CHECK(with.outdoors.size() == 5 + 8 + 2 + 2 + 12);
  const auto is_rack = [](const SceneBox& shown) { return shown.box.kind == "rack"; };
  CHECK(std::count_if(with.boxes.begin(), with.boxes.end(), is_rack) == 160);
  for (const SceneBox& shown : with.outdoor_scene().boxes) CHECK(shown.box.kind != "rack");
}
