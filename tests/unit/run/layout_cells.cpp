// The layout as cells: every box and every pipe is there, in the order of the components.
#include "twin/results/schema/layout_cells.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "tests/support/catch.hpp"
#include "tests/support/halls/regular_hall.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/results/schema/pipe_polylines.hpp"
#include "twin/results/writer/results_writer.hpp"

using namespace wattloop::twin;
using namespace wattloop::tests;

namespace {

double length_m(const Polyline& line) {
  double sum_m = 0.0;
  for (std::size_t i = 1; i < line.size(); ++i)
    sum_m += std::hypot(line[i][0] - line[i - 1][0], line[i][1] - line[i - 1][1], line[i][2] - line[i - 1][2]);
  return sum_m;
}

double pipes_m(const std::vector<LayoutBox>& boxes, std::string_view kind, const std::string& loop) {
  double sum_m = 0.0;
  for (const LayoutBox& box : boxes)
    if (box.kind == kind && box.parent == loop)
      sum_m += *std::max_element(box.size_m.begin(), box.size_m.end()) -
               *std::min_element(box.size_m.begin(), box.size_m.end());  // beyond its axis by half a diameter
  return sum_m;
}

bool is_on(const LayoutBox& box, const std::array<double, 3>& point_m) {
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (std::abs(point_m[axis] - box.centre_m[axis]) > box.size_m[axis] / 2 + 1e-9) return false;
  return true;
}

/// Where the corners of VTK's hexahedron lie: first the lower face counter-clockwise, then the upper (VTK file formats).
constexpr std::array<std::string_view, 8> vtk_corners{"---", "+--", "++-", "-+-", "--+", "+-+", "+++", "-++"};

/// Volume of a hexahedron of this order of corners, by the determinant of its edges from corner 0; negative where it is
/// turned inside out.
double volume_m3(std::span<const float> points, std::span<const std::int32_t> corners) {
  const auto edge = [&](std::size_t to) {
    std::array<double, 3> along{};
    for (std::size_t axis = 0; axis < 3; ++axis)
      along[axis] = points[3 * std::size_t(corners[to]) + axis] - points[3 * std::size_t(corners[0]) + axis];
    return along;
  };
  const auto a = edge(1), b = edge(3), c = edge(4);
  return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}

}  // namespace

TEST_CASE("the line of a loop goes through each of its pipes there and back", "[layout]") {
  const auto boxes = hall_layout({.rows = 2, .racks = 8, .loops = 2});
  for (const std::string_view kind : pipe_kinds) {
    const std::vector<Polyline> lines = pipe_polylines(boxes, kind);
    REQUIRE(lines.size() == 2);
    CHECK(length_m(lines[0]) == Approx(2 * pipes_m(boxes, kind, "loop_1")));
    CHECK(length_m(lines[1]) == Approx(2 * pipes_m(boxes, kind, "loop_2")));
    for (const LayoutBox& box : boxes) {
      if (box.kind != kind) continue;
      const Polyline& line = lines[box.parent == "loop_1" ? 0 : 1];
      CHECK(std::count_if(line.begin(), line.end(), [&](const auto& point_m) { return is_on(box, point_m); }) >= 2);
    }
  }
}

TEST_CASE("the headers of a loop over two rows are joined once there and not back", "[layout]") {
  const auto boxes = hall_layout({.rows = 2, .racks = 8, .loops = 1});
  const std::vector<Polyline> lines = pipe_polylines(boxes, "supply_pipe");
  REQUIRE(lines.size() == 1);
  const double joint_m = length_m(lines[0]) - 2 * pipes_m(boxes, "supply_pipe", "loop_1");
  CHECK(joint_m > 1.0);
  CHECK(joint_m < 6.0);
}

TEST_CASE("a results file holds the layout as cells of every kind", "[layout]") {
  const TemporaryFolder folder;
  const auto boxes = hall_layout({.rows = 2, .racks = 7, .loops = 3, .cdus_per_loop = 2, .towers = 2});
  ResultsWriter writer(folder / "cells.h5", "2026-01-01T00:00:00");
  writer.write_layout(boxes);
  writer.finish();
  const Hdf5Reader file(folder / "cells.h5");
  for (const CellKind& cells : cell_kinds) {
    std::vector<LayoutBox> of_kind;
    std::copy_if(boxes.begin(), boxes.end(), std::back_inserter(of_kind),
                 [&](const LayoutBox& box) { return box.kind == cells.kind; });
    INFO(cells.kind);
    REQUIRE(file.has(points_path(cells.kind)) == !of_kind.empty());
    if (of_kind.empty()) continue;
    const auto points = file.read<float>(points_path(cells.kind));
    const auto corners = file.read<std::int32_t>(hexahedra_path(cells.kind));
    REQUIRE(points.size() == 24 * of_kind.size());
    REQUIRE(corners.size() == 8 * of_kind.size());
    for (std::size_t cell = 0; cell < of_kind.size(); ++cell) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const LayoutBox& box = of_kind[cell];
        const auto coordinate = [&](std::size_t corner) {
          return points[3 * std::size_t(corners[8 * cell + corner]) + axis];
        };
        for (std::size_t corner = 0; corner < 8; ++corner) {
          const double side = vtk_corners[corner][axis] == '+' ? 0.5 : -0.5;
          CHECK(coordinate(corner) == Approx(box.centre_m[axis] + side * box.size_m[axis]).margin(1e-6));
        }
      }
      CHECK(volume_m3(points, std::span(corners).subspan(8 * cell, 8)) ==
            Approx(of_kind[cell].size_m[0] * of_kind[cell].size_m[1] * of_kind[cell].size_m[2]).epsilon(1e-3));
    }
  }
  CHECK(file.shape(polylines_path("supply_pipe")).size() == 1);
}
