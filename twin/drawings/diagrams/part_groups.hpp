// Parts of a hall as boxes of a diagram: those that are alike, and joined to what is alike, are one box.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "twin/results/schema/topology.hpp"

namespace wattloop::twin {

struct PartGroup {
  std::string kind{};
  std::vector<std::string> names{};  ///< as the topology has them
};

struct PartGroups {
  std::vector<PartGroup> groups{};
  std::vector<std::array<std::size_t, 2>> connections{};  ///< of groups, each once
};

/// What parts of one box must have in common.
enum class SameEnds { both, givers, takers };

struct Grouping {
  std::string_view medium;                           ///< of the connections that are drawn
  std::set<std::string, std::less<>> passed_over{};  ///< kinds that are not drawn: what they join is joined directly
  std::set<std::string, std::less<>> names_passed_over{};  ///< the same, parts
  std::set<std::string, std::less<>>
      kinds_alone{};  ///< of which up to `most_alone` that are alike are boxes of their own
  std::size_t most_alone = 4;
  SameEnds same_ends = SameEnds::both;
  std::string_view
      joints{};  ///< kind of parts that join the others: these are split by both ends, whatever `same_ends` is
  std::set<std::string, std::less<>> names_alone{};  ///< parts that are boxes of their own, whatever is like them
  std::map<std::string, std::string, std::less<>> marks{};  ///< of parts: those with unlike marks are in unlike boxes
};

/// Parts that no connection of the medium touches are left out.
PartGroups group_parts(const Topology& topology, const Grouping& grouping);

}  // namespace wattloop::twin
