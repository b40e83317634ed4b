// Parts of which a column of a group of the results file reports, found once so that it can be asked at any instant.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "twin/plant/equipment/plant.hpp"

namespace wattloop::twin {

/// Parts of one kind, and the number of the column among those of the kind.
struct ReportedParts {
  const PartSet* set;
  std::size_t column;
};

/// All kinds with parts in that group that have that column; empty where the hall has none. Sets live as long as the plant.
std::vector<ReportedParts> parts_reporting(const Plant& plant, std::string_view group, std::string_view column);

}  // namespace wattloop::twin
