// The layout as cells of a mesh, to which ParaView refers: hexahedra of all components of a kind, and a line
// through the pipes of each loop. What is recorded of them stands in a group in the same order.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "twin/results/hdf5/hdf5_file.hpp"
#include "twin/results/schema/results_schema.hpp"

namespace wattloop::twin {

/// A kind of component that is drawn as boxes, and the group that holds its series.
struct CellKind {
  std::string_view kind, group;
};

/// Parents of parts of other kinds, outside and in the hall.
inline constexpr std::string_view yard_parent = "yard", hall_parent = "hall";

inline constexpr std::array cell_kinds{
    CellKind{"rack", "racks"},
    CellKind{"gpu", "gpus"},
    CellKind{"cdu", "cdus"},
    CellKind{"network_rack", "network"},
    CellKind{"crah", "crahs"},
    CellKind{"chiller", "chillers"},
    CellKind{"tower", "towers"},
    CellKind{"ups", "ups"},
    CellKind{"substation", "feeders"},
    CellKind{"transformer", "feeders"},
    CellKind{"generator", "generators"},
    CellKind{"pdu", "feeders"},
};

struct Cells {
  std::string kind, group;
};

/// Those of a layout: the kinds above, and parts of other kinds, whose series stand in a group named by their plural.
std::vector<Cells> cells_of(std::span<const LayoutBox> boxes);

/// Kinds of pipes; their series stand in `loops`.
inline constexpr std::array<std::string_view, 2> pipe_kinds{"supply_pipe", "return_pipe"};

/// Paths of the datasets: "layout/rack_points" (point, axis), "layout/rack_hexahedra" (cell, corner),
/// "layout/supply_pipe_polylines" (entry).
std::string points_path(std::string_view kind);
std::string hexahedra_path(std::string_view kind);
std::string polylines_path(std::string_view kind);

/// XDMF's code of a polyline. Entries are, for each line: this code, the number of its points, the points.
inline constexpr std::int32_t polyline_code = 2;

/// Writes the datasets of every kind that has boxes.
void write_layout_cells(Hdf5Writer& file, std::span<const LayoutBox> boxes);

}  // namespace wattloop::twin
