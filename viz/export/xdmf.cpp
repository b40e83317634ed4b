// Why fields are written twice. ParaView 5.11 has two libraries for XDMF, and they agree on one form only: an
// item of type "Hyperslab" (so spelled; "HyperSlab" gives empty arrays in the newer library) that holds both
// the children of the older library (start, stride, count; then the whole dataset) and the text of the newer
// one (file:dataset|start:stride:count:shape). The text must begin right behind the tag.
#include "viz/export/xdmf.hpp"

#include <fmt/core.h>

#include <string_view>

namespace wattloop::viz {
namespace {

std::string escaped(std::string_view text) {
  std::string xml;
  for (const char letter : text) {
    switch (letter) {
      case '&':
        xml += "&amp;";
        break;
      case '<':
        xml += "&lt;";
        break;
      case '>':
        xml += "&gt;";
        break;
      case '"':
        xml += "&quot;";
        break;
      default:
        xml += letter;
    }
  }
  return xml;
}

std::string data_item(const std::string& file, std::string_view type, const std::string& dimensions,
                      const std::string& dataset) {
  return fmt::format(R"(<DataItem Format="HDF" NumberType="{}" Precision="4" Dimensions="{}">{}:/{}</DataItem>)", type,
                     dimensions, file, dataset);
}

std::string topology(const std::string& file, const XdmfBlock& block) {
  const bool is_boxes = block.cells == XdmfBlock::Cells::hexahedra;
  return fmt::format(
      R"(<Topology TopologyType="{}" NumberOfElements="{}">{}</Topology>)", is_boxes ? "Hexahedron" : "Mixed",
      block.cell_count,
      data_item(file, "Int", is_boxes ? fmt::format("{} 8", block.cell_count) : fmt::format("{}", block.entry_count),
                block.connections));
}

std::string attribute(const std::string& file, const XdmfField& field, std::size_t row, std::size_t cells) {
  const std::string shape = fmt::format("{} {}", field.row_count, field.item_count);
  return fmt::format(
      R"(<Attribute Name="{0}" AttributeType="Scalar" Center="Cell">)"
      R"(<DataItem ItemType="Hyperslab" Dimensions="1 {1}" Format="HDF" NumberType="Float" Precision="4">)"
      R"({2}:/{3}|{4} {5}:1 1:1 {1}:{6})"
      R"(<DataItem Dimensions="3 2" Format="XML" NumberType="Int">{4} {5} 1 1 1 {1}</DataItem>{7}</DataItem></Attribute>)",
      escaped(field.name), cells, file, field.dataset, row, field.first_item, shape,
      data_item(file, "Float", shape, field.dataset));
}

}  // namespace

void write_xdmf(std::ostream& out, const XdmfDocument& document) {
  const std::string file = escaped(document.results_file);
  // What is the same in every frame.
  std::vector<std::string> beginnings;
  for (const XdmfBlock& block : document.blocks)
    beginnings.push_back(
        fmt::format("<Grid Name=\"{}\" GridType=\"Uniform\">\n{}\n<Geometry GeometryType=\"XYZ\">{}</Geometry>\n",
                    escaped(block.name), topology(file, block),
                    data_item(file, "Float", fmt::format("{} 3", block.point_count), block.points)));

  out << "<?xml version=\"1.0\" ?>\n<Xdmf Version=\"3.0\"><Domain>\n"
         "<Grid Name=\"run\" GridType=\"Collection\" CollectionType=\"Temporal\">\n";
  for (const XdmfFrame& frame : document.frames) {
    out << fmt::format("<Grid Name=\"hall\" GridType=\"Collection\" CollectionType=\"Spatial\"><Time Value=\"{}\"/>\n",
                       frame.time_s);
    for (std::size_t b = 0; b < document.blocks.size(); ++b) {
      const XdmfBlock& block = document.blocks[b];
      out << beginnings[b];
      for (const XdmfField& field : block.fields)
        out << attribute(file, field, frame.rows[b], block.cell_count) << '\n';
      out << "</Grid>\n";
    }
    out << "</Grid>\n";
  }
  out << "</Grid></Domain></Xdmf>\n";
}

}  // namespace wattloop::viz
