// The hall's plan: counts, names, and that nothing stands in something else.
#include "tests/support/halls/regular_hall.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include "tests/support/catch.hpp"

using namespace wattloop::twin;
using wattloop::Box;
using wattloop::BoxPlace;

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

/// The reference hall with all that serves it.
HallCounts whole_site() {
  HallCounts counts = reference_hall;
  counts.network_racks = 24;
  counts.crahs = 8;
  counts.chillers = 5;
  counts.towers = 8;
  counts.sides = 2;
  counts.substations_per_side = counts.transformers_per_side = counts.ups_per_side = 1;
  counts.generators_per_side = 6;
  counts.pdus_per_side = 20;
  return counts;
}

std::vector<std::string> names_of(const std::vector<LayoutBox>& boxes, std::string_view kind) {
  std::vector<std::string> names;
  for (const LayoutBox& box : boxes)
    if (box.kind == kind) names.push_back(box.name);
  return names;
}

}  // namespace

TEST_CASE("parts that a scenario names stand in the yard in its order, as in its results", "[layout]") {
  HallCounts counts = reference_hall;
  for (const char* name : {"zeta", "b_2", "alpha"})
    counts.others.push_back({name, "dry_cooler", {11.0, 2.4, 2.5, BoxPlace::yard}});
  std::vector<std::string> names;
  for (const LayoutBox& box : hall_layout(counts)) {
    if (box.kind == "dry_cooler") names.push_back(box.name);
  }
  CHECK(names == std::vector<std::string>{"zeta", "b_2", "alpha"});
}

TEST_CASE("parts of rows stand between racks, evenly spread, and racks make room for them", "[layout]") {
  HallCounts counts = reference_hall;  // rows of 20 racks, 0.6 m each
  const Box unit{0.3, 1.07, 2.0, BoxPlace::row};
  for (int k = 1; k <= 3; ++k) counts.others.push_back({"unit_" + std::to_string(k), "in_row_unit", unit, 0, 2});
  const auto boxes = hall_layout(counts);
  std::map<std::string, LayoutBox> named;
  for (const LayoutBox& box : boxes) named[box.name] = box;
  const auto begin_m = [&](const std::string& name) {
    return named.at(name).centre_m[0] - named.at(name).size_m[0] / 2;
  };
  CHECK(begin_m("unit_1") == Approx(5 * 0.6));
  CHECK(begin_m("unit_2") == Approx(10 * 0.6 + 0.3));
  CHECK(begin_m("unit_3") == Approx(15 * 0.6 + 0.6));
  CHECK(begin_m("row_3.rack_5") == Approx(4 * 0.6));
  CHECK(begin_m("row_3.rack_6") == Approx(5 * 0.6 + 0.3));
  CHECK(begin_m("row_3.rack_20") == Approx(19 * 0.6 + 0.9));
  CHECK(begin_m("row_4.rack_20") == Approx(19 * 0.6));
  CHECK(named.at("unit_2").parent == "hall");
  CHECK(overlaps_among(of_kinds(boxes, {"rack", "rear_door", "cdu", "in_row_unit"})) == 0);
}

TEST_CASE("parts of one kind keep the order of their results wherever they stand", "[layout]") {
  HallCounts counts = reference_hall;
  const auto add = [&](const char* name, BoxPlace place, int row) {
    counts.others.push_back({name, "exchanger", {0.4, 1.0, 2.0, place}, 0, row});
  };
  add("d", BoxPlace::yard, -1);
  add("a", BoxPlace::row, 5);
  add("c", BoxPlace::room, -1);
  add("b", BoxPlace::row, 1);
  const auto boxes = hall_layout(counts);
  CHECK(names_of(boxes, "exchanger") == std::vector<std::string>{"d", "a", "c", "b"});
  CHECK(overlaps_among(of_kinds(boxes, {"rack", "rear_door", "cdu", "exchanger"})) == 0);
}

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

TEST_CASE("every name in a layout is unique and every parent exists or is a loop, a side or the network", "[layout]") {
  const auto boxes = hall_layout(whole_site());
  std::set<std::string> names;
  for (const LayoutBox& box : boxes) names.insert(box.name);
  CHECK(names.size() == boxes.size());
  for (const LayoutBox& box : boxes)
    if (!box.parent.empty() && !box.parent.starts_with("loop_") && !box.parent.starts_with("side_") &&
        box.parent != "network")
      CHECK(names.contains(box.parent));
  CHECK(names.contains("row_8.rack_20.node_8.gpu_8"));
  CHECK(names.contains("cdu_12"));
}

TEST_CASE("nothing in a layout stands in something else", "[layout]") {
  for (const HallCounts& counts : {HallCounts{}, HallCounts{.rows = 2, .racks = 7, .loops = 3, .cdus_per_loop = 2},
                                   HallCounts{.racks = 2, .nodes_per_rack = 18, .gpus_per_node = 4}}) {
    const auto boxes = hall_layout(counts);
    CHECK(overlaps_among(of_kinds(boxes, {"rack", "rear_door", "cdu"})) == 0);
    CHECK(overlaps_among(of_kinds(boxes, {"node"})) == 0);
    CHECK(overlaps_among(of_kinds(boxes, {"gpu"})) == 0);
  }
}

TEST_CASE("equipment around the hall bears the names of its components", "[layout]") {
  const auto boxes = hall_layout(whole_site());
  CHECK(names_of(boxes, "ups") == std::vector<std::string>{"ups_a", "ups_b"});
  CHECK(names_of(boxes, "substation") == std::vector<std::string>{"substation_a", "substation_b"});
  CHECK(names_of(boxes, "transformer") == std::vector<std::string>{"transformer_a", "transformer_b"});
  CHECK(names_of(boxes, "chiller").back() == "chiller_5");
  CHECK(names_of(boxes, "tower").front() == "tower_1");
  CHECK(names_of(boxes, "crah").back() == "crah_8");
  CHECK(names_of(boxes, "pdu").front() == "pdu_a_1");
  CHECK(names_of(boxes, "pdu").back() == "pdu_b_20");
  CHECK(names_of(boxes, "generator").size() == 12);
  CHECK(names_of(boxes, "generator").back() == "generator_b_6");
  CHECK(names_of(boxes, "network_rack").back() == "network_rack_24");
  HallCounts several = whole_site();
  several.ups_per_side = 2;
  CHECK(names_of(hall_layout(several), "ups").front() == "ups_a_1");
}

TEST_CASE("network racks do not count among the racks and belong to the row of their own", "[layout]") {
  const auto plain = hall_layout(reference_hall), whole = hall_layout(whole_site());
  CHECK(of_kinds(plain, {"rack"}) == of_kinds(whole, {"rack"}));
  double last_row_m = 0.0;
  for (const LayoutBox& box : of_kinds(whole, {"rack"})) last_row_m = std::max(last_row_m, box.centre_m[1]);
  for (const LayoutBox& box : of_kinds(whole, {"network_rack"})) {
    CHECK(box.parent == "network");
    CHECK(box.centre_m[1] > last_row_m);
  }
}

TEST_CASE("nothing around the hall stands in something else, in halls of any size", "[layout]") {
  HallCounts small = whole_site();
  small.rows = small.racks = 1;
  HallCounts large = whole_site();
  large.rows = 40;
  large.racks = 1600;
  large.loops = 40;
  large.crahs = 80;
  large.towers = 80;
  large.pdus_per_side = 200;
  large.network_racks = 240;
  HallCounts many_sides = whole_site();
  many_sides.sides = 4;
  many_sides.ups_per_side = 5;
  for (const HallCounts& counts : {whole_site(), small, large, many_sides}) {
    const auto boxes = of_kinds(hall_layout(counts), {"rack", "rear_door", "cdu", "network_rack", "pdu", "crah", "ups",
                                                      "substation", "transformer", "chiller", "tower", "generator"});
    CHECK(overlaps_among(boxes) == 0);
    for (const LayoutBox& box : boxes) CHECK(box.centre_m[2] == Approx(box.size_m[2] / 2).margin(0.05));
  }
}

TEST_CASE("a UPS is no longer than the wall behind which it stands", "[layout]") {
  HallCounts small = whole_site();
  small.rows = small.racks = 1;
  small.network_racks = 0;
  const auto length_m = [](const HallCounts& counts) {
    return of_kinds(hall_layout(counts), {"ups"}).front().size_m[1];
  };
  CHECK(length_m(small) < 2.0);
  CHECK(length_m(whole_site()) == 7.5);
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
  CHECK(rack_name(reference_hall, 0) == "row_1.rack_1");
  CHECK(rack_name(reference_hall, 159) == "row_8.rack_20");
}

TEST_CASE("a hall without racks has an empty layout", "[layout]") {
  CHECK(hall_layout({.rows = 1, .racks = 0}).empty());
  CHECK(hall_layout({.rows = 0, .racks = 1}).empty());
}
