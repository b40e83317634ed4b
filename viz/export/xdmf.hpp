// XDMF: an XML file that reports ParaView where in a results file points, cells and values stand. Nothing is
// copied.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace wattloop::viz {

/// A field of a block: part of the columns of a dataset over (time, item).
struct XdmfField {
  std::string name;                           ///< as people choose it: "it_power (W)"
  std::string dataset;                        ///< path in the results file: "racks/it_power"
  std::size_t row_count = 0, item_count = 0;  ///< shape of the dataset
  std::size_t first_item = 0;                 ///< item of the block's first cell
  double added = 0.0;                         ///< to every value: -273.15 of what is kept in K and shown in degC
  std::vector<float> written{};               ///< [row] of a block of one cell, to which the reader adds nothing
  std::vector<std::vector<float>> inlined{};  ///< [frame][cell] of what no dataset holds; `dataset` is then empty
};

/// Cells that are drawn with the same fields.
struct XdmfBlock {
  enum class Cells { hexahedra, polylines, points };

  std::string name;
  Cells cells = Cells::hexahedra;
  std::size_t cell_count = 0;
  std::string points, connections;  ///< paths in the results file
  std::size_t point_count = 0;
  std::size_t entry_count = 0;          ///< of the connections, where they are polylines
  std::vector<float> inlined_points{};  ///< x, y, z of each cell, where cells are points
  std::vector<std::string> names{};     ///< of the cells, where the layout does not have them
  std::vector<XdmfField> fields;
};

/// One time, and for each block the row of its fields that is shown.
struct XdmfFrame {
  double time_s = 0.0;
  std::vector<std::size_t> rows;
};

struct XdmfDocument {
  std::string results_file{};  ///< as seen from the folder of the XDMF file
  std::vector<XdmfBlock> blocks{};
  std::vector<XdmfFrame> frames{};
};

/// Whether a DataItem can name that file: colons divide the parts of a reference, and its ends are trimmed.
bool is_xdmf_reference(std::string_view file);

/// Writes the form of XDMF 2: a block of its own for each kind, over all times, so that blocks keep their names.
void write_xdmf(std::ostream& out, const XdmfDocument& document);

}  // namespace wattloop::viz
