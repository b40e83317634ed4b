// The one-line diagram as a graph: the questions that reading and checking it ask. Buses are numbered as
// declared.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "electrical/one_line.hpp"

namespace wattloop::electrical {

using BusNumbers = std::unordered_map<std::string_view, int>;

/// Bus names to numbers; the first of equal names counts. The names stay the diagram's.
BusNumbers number_buses(const OneLineDiagram& diagram);

/// Buses, and branches between them. All buses that branches, sources and loads name must exist.
class OneLineGraph {
 public:
  explicit OneLineGraph(const OneLineDiagram& diagram);

  /// [buses] whether some source reaches the bus through branches, closed or open.
  std::vector<bool> reached_from_sources() const;

  /// [buses] whether a load hangs on the bus or on one that branches lead to from it.
  std::vector<bool> leads_to_loads() const;

  /// Groups of branches that lie on a common directed cycle; those both ways are on none.
  std::vector<std::vector<int>> cycles() const;

  /// [buses] 0 where no branch enters, else 1 + the highest level that feeds the bus. Only without cycles.
  std::vector<int> levels() const;

 private:
  int buses_;
  std::vector<int> from_, to_;          // of branches, those both ways a second time the other way round
  std::vector<int> one_from_, one_to_;  // of branches that go one way
  std::vector<int> one_;
  std::vector<int> source_buses_, load_buses_;
};

/// The diagram as flat arrays. Needs resolved names and no cycles; `build_power_tree` is for everybody else.
PowerTree flatten(const OneLineDiagram& diagram);

}  // namespace wattloop::electrical
