// What stands in a hall and how it is joined, as results keep it: diagrams are drawn from it.
#pragma once

#include <limits>
#include <string>
#include <vector>

namespace wattloop::twin {

struct TopologyPart {
  std::string name{}, kind{};                                  ///< "cdu_1", "CDU"
  double rating_w = std::numeric_limits<double>::quiet_NaN();  ///< heat or power; not a number: none that is known
  double nominal_v = 0.0;                                      ///< of a bus, between phases; 0: no bus, or not known
  double fault_level_a = 0.0;  ///< of a bus: largest short-circuit current from feeds; 0: not known
  bool goes_both_ways =
      false;  ///< a branch that carries power from either of its buses to the other: a tie, a cable of a ring
  bool operator==(const TopologyPart&) const = default;
};

/// Something passes from one part to the other, both by their names.
struct TopologyConnection {
  std::string from{}, to{};
  std::string medium{};  ///< "electricity"; "heat", on its way to the sky; "inside": the second holds the first
  bool operator==(const TopologyConnection&) const = default;
};

struct Topology {
  std::vector<TopologyPart> parts{};
  std::vector<TopologyConnection> connections{};
  bool operator==(const Topology&) const = default;
};

}  // namespace wattloop::twin
