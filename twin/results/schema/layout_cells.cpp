#include "twin/results/schema/layout_cells.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "twin/results/schema/pipe_polylines.hpp"

namespace wattloop::twin {
namespace {

/// Corners of a box in the order of VTK's hexahedron: the lower face counter-clockwise, then the upper.
void append_corners(const LayoutBox& box, std::vector<float>& points) {
  constexpr std::array<std::array<double, 3>, 8> corners{
      {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {1, 1, 1}, {-1, 1, 1}}};
  for (const auto& corner : corners) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      points.push_back(static_cast<float>(box.centre_m[axis] + 0.5 * corner[axis] * box.size_m[axis]));
    }
  }
}

std::string name_in_group(const std::string& path) { return path.substr(path.find('/') + 1); }

void write_points(Hdf5Writer& file, std::string_view kind, const std::vector<float>& points) {
  const std::size_t count = points.size() / 3;
  Hdf5Variable variable{.group = "layout",
                        .name = name_in_group(points_path(kind)),
                        .type = Hdf5Type::float32,
                        .dimensions = {{fmt::format("{}_point", kind), count}, {"axis", 3}},
                        .attributes = {{"units", "m"}, {"long_name", "points of the cells: x, y, z"}}};
  variable.chunk = chunk_of_columns(variable.dimensions);
  file.write(file.add(variable), 0, std::span<const float>(points));
}

void write_hexahedra(Hdf5Writer& file, std::string_view kind, std::span<const LayoutBox> boxes) {
  std::vector<float> points;
  for (const LayoutBox& box : boxes) {
    if (box.kind == kind) append_corners(box, points);
  }
  if (points.empty()) return;
  write_points(file, kind, points);
  std::vector<std::int32_t> corners(points.size() / 3);
  for (std::size_t point = 0; point < corners.size(); ++point) corners[point] = static_cast<std::int32_t>(point);
  Hdf5Variable variable{
      .group = "layout",
      .name = name_in_group(hexahedra_path(kind)),
      .type = Hdf5Type::int32,
      .dimensions = {{fmt::format("{}_cell", kind), corners.size() / 8}, {"corner", 8}},
      .attributes = {{"units", "1"}, {"long_name", "corners of each box, numbers of its points from 0"}}};
  variable.chunk = chunk_of_columns(variable.dimensions);
  file.write(file.add(variable), 0, std::span<const std::int32_t>(corners));
}

void write_polylines(Hdf5Writer& file, std::string_view kind, std::span<const LayoutBox> boxes) {
  std::vector<float> points;
  std::vector<std::int32_t> entries;
  for (const Polyline& line : pipe_polylines(boxes, kind)) {
    entries.push_back(polyline_code);
    entries.push_back(static_cast<std::int32_t>(line.size()));
    for (const auto& point_m : line) {
      entries.push_back(static_cast<std::int32_t>(points.size() / 3));
      for (const double coordinate_m : point_m) points.push_back(static_cast<float>(coordinate_m));
    }
  }
  if (points.empty()) return;
  write_points(file, kind, points);
  const std::size_t variable = file.add(
      {.group = "layout",
       .name = name_in_group(polylines_path(kind)),
       .type = Hdf5Type::int32,
       .dimensions = {{fmt::format("{}_entry", kind), entries.size()}},
       .attributes = {{"units", "1"},
                      {"long_name", "a line for each loop: 2, number of points, numbers of the points from 0"}}});
  file.write(variable, 0, std::span<const std::int32_t>(entries));
}

}  // namespace

std::string points_path(std::string_view kind) { return fmt::format("layout/{}_points", kind); }
std::string hexahedra_path(std::string_view kind) { return fmt::format("layout/{}_hexahedra", kind); }
std::string polylines_path(std::string_view kind) { return fmt::format("layout/{}_polylines", kind); }

std::vector<Cells> cells_of(std::span<const LayoutBox> boxes) {
  std::vector<Cells> all;
  for (const CellKind& cells : cell_kinds) all.push_back({std::string(cells.kind), std::string(cells.group)});
  for (const LayoutBox& box : boxes) {
    if ((box.parent == yard_parent || box.parent == hall_parent) &&
        std::ranges::find(all, box.kind, &Cells::kind) == all.end())
      all.push_back({box.kind, box.kind + "s"});
  }
  return all;
}

void write_layout_cells(Hdf5Writer& file, std::span<const LayoutBox> boxes) {
  for (const Cells& cells : cells_of(boxes)) write_hexahedra(file, cells.kind, boxes);
  for (const std::string_view kind : pipe_kinds) write_polylines(file, kind, boxes);
}

}  // namespace wattloop::twin
