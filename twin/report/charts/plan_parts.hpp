// Equipment of the hall in plans of a report: what is drawn of it, and what it does in words.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "twin/drawings/charts/hall_plan.hpp"
#include "twin/results/reader/results_reader.hpp"

namespace wattloop::twin {

/// What the plans at those times show, the same parts in each: CDUs, rear doors and air handlers, and kinds of which any is not simply running at any of
/// these times. Machines outside of the hall are left to `conditions_line`.
std::vector<PlanParts> plan_parts(const ResultsReader& results, std::span<const LayoutBox> layout,
                                  std::span<const double> times_s);

/// "Failed: CDU 1 to 3. On battery: UPS a. Idle: chiller 6." of all equipment, that outside, too, as a paragraph; empty where all runs.
std::string conditions_line(const ResultsReader& results, std::span<const LayoutBox> layout, double time_s);

}  // namespace wattloop::twin
