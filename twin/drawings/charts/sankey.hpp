// Where something goes, as bands as wide as their shares: a Sankey diagram as SVG.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace wattloop::twin {

struct SankeyNode {
  std::string title{};
  std::string colour{};    ///< "#d55e00"
  std::size_t column = 0;  ///< from the left
};

struct SankeyFlow {
  std::size_t from = 0, to = 0;  ///< nodes
  double value = 0.0;            ///< SI, positive; others are not drawn
};

struct Sankey {
  std::vector<SankeyNode> nodes{};
  std::vector<SankeyFlow> flows{};
  std::string unit{};  ///< "W"
};

/// As wide on both sides of a node as what flows on the larger of them. Empty where nothing flows.
std::string sankey_diagram(const Sankey& sankey);

/// The same for a telephone, in one column: of each node a bar as long as its share of the largest, column by column.
std::string sankey_bars(const Sankey& sankey);

}  // namespace wattloop::twin
