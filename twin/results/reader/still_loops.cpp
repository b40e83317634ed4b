#include "twin/results/reader/still_loops.hpp"

#include <algorithm>
#include <limits>
#include <string>

namespace wattloop::twin {

namespace {

double still_flow_of(const ResultsReader& results, const std::string& group) {
  constexpr double still_share = 0.02;
  if (!results.has_column(group, "flow") || results.times_s(group).empty()) return -1.0;
  const std::vector<float> start = results.frame(group, "flow", 0);
  return start.empty() ? -1.0 : still_share * static_cast<double>(*std::ranges::max_element(start));
}

}  // namespace

double still_flow_kg_per_s(const ResultsReader& results) { return still_flow_of(results, "loops"); }

void blank_still_loops(const ResultsReader& results, std::string_view group, std::string_view column,
                       std::vector<float>& values) {
  if ((group != "loops" && group != "water_systems") || !column.ends_with("_temperature")) return;
  const std::string of(group);
  const double still_kg_per_s = still_flow_of(results, of);
  if (still_kg_per_s < 0.0) return;
  const std::vector<float> flow = results.column(of, "flow");
  for (std::size_t k = 0; k < std::min(flow.size(), values.size()); ++k)
    if (static_cast<double>(flow[k]) <= still_kg_per_s) values[k] = std::numeric_limits<float>::quiet_NaN();
}

}  // namespace wattloop::twin
