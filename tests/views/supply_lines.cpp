// Busways by load, and pipes as wide as their flow.
#include "viz/hall/supply_lines.hpp"

#include <algorithm>

#include "tests/support/catch.hpp"
#include "tests/support/halls/regular_hall.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/results/writer/results_writer.hpp"
#include "viz/hall/scene.hpp"

using namespace wattloop;
using namespace wattloop::tests;
using namespace wattloop::viz;

namespace {

/// Two rows of two racks; PDU 1 feeds the first row and half of the second through a bus, PDU 2 the rest.
Scene scene_with(float flow_of_loop_2, bool has_topology = true) {
  static const TemporaryFolder folder;
  const auto file = folder.path() / "supply.h5";
  const twin::HallCounts counts{.rows = 2, .racks = 4, .loops = 2, .cdus_per_loop = 1, .sides = 1, .pdus_per_side = 2};
  twin::ResultsWriter writer(file, "2026-01-01T00:00:00");
  const auto racks = writer.add_table({"racks",
                                       "rack",
                                       {"row_1.rack_1", "row_1.rack_2", "row_2.rack_1", "row_2.rack_2"},
                                       {{"max_die_temperature", "K", "die"}},
                                       0,
                                       "rack"});
  const auto loops = writer.add_table({"loops", "loop", {"loop_1", "loop_2"}, {{"flow", "kg/s", "flow"}}, 0, "loop"});
  const auto feeders =
      writer.add_table({"feeders", "feeder", {"pdu_1", "pdu_2"}, {{"loading", "1", "loading"}}, 0, "f"});
  for (const double time_s : {0.0, 60.0}) {
    writer.append(racks, time_s, std::vector<float>(4, 320.0F));
    writer.append(loops, time_s, std::vector<float>{40.0F, time_s > 0.0 ? flow_of_loop_2 : 40.0F});
    writer.append(feeders, time_s, std::vector<float>{0.4F, 0.9F});
  }
  writer.write_layout(twin::hall_layout(counts));
  if (has_topology) {
    twin::Topology topology;
    for (const auto& [name, kind] : {std::pair("pdu_1", "PDU"),
                                     {"pdu_2", "PDU"},
                                     {"pdu_1.out", "bus"},
                                     {"row_1.rack_1", "rack"},
                                     {"row_1.rack_2", "rack"},
                                     {"row_2.rack_1", "rack"},
                                     {"row_2.rack_2", "rack"}})
      topology.parts.push_back({.name = name, .kind = kind});
    for (const auto& [from, to] : {std::pair("pdu_1", "pdu_1.out"),
                                   {"pdu_1.out", "row_1.rack_1"},
                                   {"pdu_1.out", "row_1.rack_2"},
                                   {"pdu_1.out", "row_2.rack_1"},
                                   {"pdu_2", "row_2.rack_2"}})
      topology.connections.push_back({from, to, "electricity"});
    topology.connections.push_back({"row_1.rack_1", "pdu_2", "heat"});  // nothing of theirs
    writer.write_topology(topology);
  }
  writer.finish();
  return read_scene(twin::ResultsReader(file), {.at_s = 60.0, .has_fixed_scales = true}, file.string());
}

std::vector<SceneBox> of_kind(const Scene& scene, const std::string& kind) {
  std::vector<SceneBox> boxes;
  std::ranges::copy_if(scene.boxes, std::back_inserter(boxes),
                       [&](const SceneBox& shown) { return shown.box.kind == kind; });
  return boxes;
}

/// Without doors and a detailed look, racks alone.
const SceneBox& box(const Scene& scene, const std::string& name) {
  const auto found = std::ranges::find(scene.boxes, name, [](const SceneBox& shown) { return shown.box.name; });
  REQUIRE(found != scene.boxes.end());
  return *found;
}

}  // namespace

TEST_CASE("a busway passes the racks that its PDU feeds, in the colour of its load", "[supply_lines]") {
  const std::vector<SceneBox> bars = of_kind(scene_with(40.0F), "busway");
  REQUIRE(bars.size() == 3);  // of PDU 1 one over each row
  const Scene scene = scene_with(40.0F);
  for (const SceneBox& bar : bars) {
    INFO(bar.box.name);
    CHECK(bar.value == Approx(bar.box.parent == "pdu_1" ? 40.0 : 90.0));
    CHECK(bar.scale == ScaleOf::load);
    CHECK(bar.box.centre_m[2] > box(scene, "row_1.rack_1").box.size_m[2]);  // over the racks
  }
  const auto passes = [](const SceneBox& bar, const SceneBox& rack) {
    return std::abs(bar.box.centre_m[0] - rack.box.centre_m[0]) <= bar.box.size_m[0] / 2 &&
           std::abs(bar.box.centre_m[1] - rack.box.centre_m[1]) <= rack.box.size_m[1];
  };
  const auto feeds = [&](const std::string& pdu, const std::string& rack) {
    return std::ranges::any_of(
        bars, [&](const SceneBox& bar) { return bar.box.parent == pdu && passes(bar, box(scene, rack)); });
  };
  CHECK((feeds("pdu_1", "row_1.rack_1") && feeds("pdu_1", "row_1.rack_2") && feeds("pdu_1", "row_2.rack_1")));
  CHECK((feeds("pdu_2", "row_2.rack_2") && !feeds("pdu_2", "row_1.rack_1") && !feeds("pdu_2", "row_2.rack_1")));
  // Of one side they are sections of one busway: in line, without a gap between racks that touch.
  CHECK(bars[1].box.centre_m[1] == bars[2].box.centre_m[1]);
  CHECK(bars[0].box.size_m[0] == Approx(2.0 * bars[1].box.size_m[0]));
  CHECK(of_kind(scene_with(40.0F, false), "busway").empty());
}

TEST_CASE("pipes are as wide as the root of their loop's flow", "[supply_lines]") {
  const auto width_m = [](float flow) {
    const Scene scene = scene_with(flow);
    const auto& size_m = box(scene, "loop_2.supply_pipe_1").box.size_m;
    return std::min({size_m[0], size_m[1], size_m[2]});
  };
  CHECK(width_m(10.0F) == Approx(0.5 * width_m(40.0F)));
  CHECK(width_m(0.0F) < 0.2 * width_m(40.0F));
  CHECK(width_m(0.0F) > 0.0);
}
