// Nodes of a hall by the names of nodes, racks and rows, before anything of it is built.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/text/name_pattern.hpp"
#include "twin/scenario/specs/scenario.hpp"

namespace wattloop::twin {

class NodesByName {
 public:
  explicit NodesByName(const Scenario& scenario);

  /// "row_1", "row_1.rack_1", "row_1.rack_1.node_1".
  const NameIndex& names() const { return names_; }
  /// Numbers of the nodes that a name stands for, behind others.
  void append(std::size_t name, std::vector<std::size_t>& nodes) const;
  std::string name_of(std::size_t node) const;

 private:
  void add(const std::string& name, std::size_t first, std::size_t count);

  NameIndex names_;
  std::vector<std::vector<std::pair<std::size_t, std::size_t>>> spans_;  ///< [name] first node, nodes
  std::size_t count_ = 0;
};

}  // namespace wattloop::twin
