// Names of the components of a fabric, counted from 1, made when they are needed:
//
//   leaf_12, spine_3, core_1, super_core_2      switches; a fifth tier: tier_5_1
//   leaf_12.to_spine_3                          all cables between two switches
//   node_7.rail_5, manager_1.port               a port of a node, of a fabric manager
//   node_7.nvlink_5                             the NVLink ports of a GPU
//   rail_5                                      all leaves of a rail
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "network/fabric/fabric.hpp"

namespace wattloop::network {

struct Component {
  enum class Kind { network_switch, link, nvlink, rail };
  Kind kind;
  std::size_t number;  ///< of the switch, link or rail; NVLink: node * gpus_per_node + GPU

  bool operator==(const Component&) const = default;
};

std::string switch_name(const Fabric& fabric, std::size_t number);
std::string link_name(const Fabric& fabric, std::size_t number);
std::string name_of(const Fabric& fabric, const Component& component);

/// The component of a name, or nothing.
std::optional<Component> find_component(const Fabric& fabric, std::string_view name);

/// Why no component has that name, and the nearest name: "the fabric has no 'leef_3': did you mean 'leaf_3'?"
std::string unknown_name(const Fabric& fabric, std::string_view name);

}  // namespace wattloop::network
