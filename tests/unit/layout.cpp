// The hall's plan: counts, names, and that nothing stands in something else.
#include "twin/layout.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "tests/support/catch.hpp"

using namespace wattloop::twin;

namespace {

long count_of(const std::vector<LayoutBox>& boxes, std::string_view kind) {
  return std::count_if(boxes.begin(), boxes.end(), [&](const LayoutBox& box) { return box.kind == kind; });
}

std::vector<LayoutBox> of_kinds(const std::vector<LayoutBox>& boxes, std::set<std::string> kinds) {
  std::vector<LayoutBox> found;
  for (const LayoutBox& box : boxes)
    if (kinds.contains(box.kind)) found.push_back(box);
  return found;
}

bool overlap(const LayoutBox& a, const LayoutBox& b) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double reach_m = (a.size_m[axis] + b.size_m[axis]) / 2;
    if (std::abs(a.centre_m[axis] - b.centre_m[axis]) >= reach_m - 1e-9) return false;
  }
  return true;
}

bool holds(const LayoutBox& outer, const LayoutBox& inner) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double room_m = (outer.size_m[axis] - inner.size_m[axis]) / 2;
    if (std::abs(outer.centre_m[axis] - inner.centre_m[axis]) > room_m + 1e-9) return false;
  }
  return true;
}

std::size_t overlaps_among(const std::vector<LayoutBox>& boxes) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < boxes.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) count += overlap(boxes[i], boxes[j]);
  return count;
}

const HallCounts reference_hall{.rows = 8, .racks = 160, .loops = 4, .cdus_per_loop = 3};

}  // namespace

TEST_CASE("a layout draws as many boxes as the hall has parts", "[layout]") {
  const auto boxes = hall_layout(reference_hall);
  CHECK(count_of(boxes, "rack") == 160);
  CHECK(count_of(boxes, "node") == 1280);
  CHECK(count_of(boxes, "gpu") == 10240);
  CHECK(count_of(boxes, "rear_door") == 160);
  CHECK(count_of(boxes, "cdu") == 12);
  CHECK(count_of(boxes, "supply_pipe") == count_of(boxes, "return_pipe"));

  const auto large = hall_layout({.rows = 40, .racks = 1600, .loops = 40, .cdus_per_loop = 3});
  CHECK(count_of(large, "rack") == 1600);
  CHECK(count_of(large, "gpu") == 102400);
}

TEST_CASE("every name in a layout is unique and every parent exists or is a loop", "[layout]") {
  const auto boxes = hall_layout(reference_hall);
  std::set<std::string> names;
  for (const LayoutBox& box : boxes) names.insert(box.name);
  CHECK(names.size() == boxes.size());
  for (const LayoutBox& box : boxes)
    if (!box.parent.empty() && !box.parent.starts_with("loop_")) CHECK(names.contains(box.parent));
  CHECK(names.contains("row_8.rack_20.node_8.gpu_8"));
  CHECK(names.contains("cdu_12"));
}

TEST_CASE("nothing in a layout stands in something else", "[layout]") {
  for (const HallCounts& counts :
       {HallCounts{}, HallCounts{.rows = 2, .racks = 7, .loops = 3, .cdus_per_loop = 2},
        HallCounts{.racks = 2, .nodes_per_rack = 18, .gpus_per_node = 4}}) {
    const auto boxes = hall_layout(counts);
    CHECK(overlaps_among(of_kinds(boxes, {"rack", "rear_door", "cdu"})) == 0);
    CHECK(overlaps_among(of_kinds(boxes, {"node"})) == 0);
    CHECK(overlaps_among(of_kinds(boxes, {"gpu"})) == 0);
  }
}

TEST_CASE("nodes stand in their rack and GPUs in their node", "[layout]") {
  for (const int nodes : {1, 8, 18}) {
    const auto boxes = hall_layout({.rows = 2, .racks = 3, .nodes_per_rack = nodes, .gpus_per_node = 8});
    for (const LayoutBox& box : of_kinds(boxes, {"node", "gpu"})) {
      const auto parent =
          std::find_if(boxes.begin(), boxes.end(), [&](const LayoutBox& b) { return b.name == box.parent; });
      REQUIRE(parent != boxes.end());
      CHECK(holds(*parent, box));
    }
  }
}

TEST_CASE("the reference hall's loops take two rows each", "[layout]") {
  for (int rack = 0; rack < 160; ++rack) CHECK(loop_of_rack(reference_hall, rack) == rack / 40);
  CHECK(rack_name(reference_hall, 0) == "row_1.rack_1");
  CHECK(rack_name(reference_hall, 159) == "row_8.rack_20");
}

TEST_CASE("a hall without racks has an empty layout", "[layout]") {
  CHECK(hall_layout({.rows = 1, .racks = 0}).empty());
  CHECK(hall_layout({.rows = 0, .racks = 1}).empty());
}
