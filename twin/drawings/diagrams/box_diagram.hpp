// Boxes with texts, bars that join them, and lines between them, as SVG; its texts can be searched and copied.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace wattloop::twin {

/// How a box or a line looks: words of what it shows, which are classes in the style of the page.
enum class Look { usual, still, beyond_rating, failed };

struct DiagramBox {
  std::string title{};
  std::vector<std::string> lines{};
  std::string symbol{};  ///< kind of equipment whose symbol stands beside the title
  Look look = Look::usual;
  bool is_dead = false;  ///< without voltage: no power can come out of it
  bool is_body = false;  ///< of water, coolant or air, not equipment: drawn round
  bool is_bar = false;   ///< joins others: drawn as a bar with its texts above it
};

/// Where power of a line that can carry it either way goes, which an arrow at its box shows.
enum class Flow { none, along, against };

struct DiagramLine {
  std::array<std::size_t, 2> ends{};  ///< boxes
  Look look = Look::usual;
  Flow flow = Flow::none;  ///< from the first to the second of its ends, or against that
  bool is_beside = false;  ///< from a bar to what stands beside it; such a box has two such lines and no others
};

/// Texts as they are, not escaped. Empty without boxes.
std::string box_diagram(const std::vector<DiagramBox>& boxes, const std::vector<DiagramLine>& lines);

/// Style for pages that hold such diagrams.
std::string_view box_diagram_style();

}  // namespace wattloop::twin
