// The hall of a run in its report: plans, diagrams, temperatures of all racks over time, as HTML and SVG.
#pragma once

#include <string>
#include <vector>

#include "twin/results/reader/results_reader.hpp"

namespace wattloop::twin {

/// Hottest die of each rack over the run; empty where it is not recorded.
struct RackTemperatures {
  std::vector<std::string> names;
  std::vector<double> times_s;
  std::vector<float> die_k;           ///< row after row
  std::vector<float> down_gpus;       ///< the same, of nodes that are down; empty where it is not recorded
  std::vector<float> throttled_gpus;  ///< the same

  explicit RackTemperatures(const ResultsReader& results);
  bool is_recorded() const { return !die_k.empty() && !names.empty(); }
};

/// Before the first event, at worst, at the end.
std::string plans(const ResultsReader& results, const RackTemperatures& racks, double worst_s);

/// Over what powers, heats and flows of a diagram are means, and what switched meanwhile: "powers, heats and flows are means over the 1 min after it".
std::string span_words(const ResultsReader& results, double time_s);
/// Empty where the fabric is not modelled.
std::string fabric_at(const ResultsReader& results, double time_s);
std::string one_line_at(const ResultsReader& results, double time_s);
std::string cooling_at(const ResultsReader& results, double time_s);
std::string temperatures_over_time(const RackTemperatures& racks);
std::string hottest_racks(const ResultsReader& results, const RackTemperatures& racks);

}  // namespace wattloop::twin
