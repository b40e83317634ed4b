// Loops whose coolant does not flow: what is recorded of their temperatures then is not valid for what they cool.
#pragma once

#include <string_view>
#include <vector>

#include "twin/results/reader/results_reader.hpp"

namespace wattloop::twin {

/// The flow up to which a loop counts as without flow: 2 % of the highest flow of a loop at the start. Negative where flows were not recorded.
double still_flow_kg_per_s(const ResultsReader& results);

/// Temperatures of loops and of water systems are not numbers in records without flow. `values` is the column of all records, [record][loop]; columns of other
/// groups, and those that are no temperatures, stay as they are.
void blank_still_loops(const ResultsReader& results, std::string_view group, std::string_view column,
                       std::vector<float>& values);

}  // namespace wattloop::twin
