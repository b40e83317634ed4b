// The hall of a run in its report: plans, diagrams, temperatures of all racks over time, as HTML and SVG.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "twin/results/reader/results_reader.hpp"

namespace wattloop::twin {

/// Hottest die of each rack over the run; empty where it is not recorded.
struct RackTemperatures {
  std::string start;  ///< of the run, local time
  std::vector<std::string> names;
  std::vector<double> times_s;
  std::vector<float> die_k;           ///< row after row
  std::vector<float> down_gpus;       ///< the same, of nodes that are down; empty where it is not recorded
  std::vector<float> throttled_gpus;  ///< the same
  std::vector<std::uint8_t> is_off;   ///< the same: no node of the rack is up; empty where none is down

  explicit RackTemperatures(const ResultsReader& results);
  bool is_recorded() const { return !die_k.empty() && !names.empty(); }
  /// Of all racks in one record; empty where it is not recorded.
  std::span<const float> of_row(const std::vector<float>& all, std::size_t row) const {
    return all.empty() ? std::span<const float>() : std::span(all).subspan(row * names.size(), names.size());
  }
};

/// A time at which plans show the hall.
struct PlanMoment {
  const char* name = "";
  std::size_t row = 0;  ///< of the records of racks
};

/// Before the first event that the scenario orders (if there is one), at worst, at the end: the last two of them always.
std::vector<PlanMoment> plan_moments(const ResultsReader& results, const RackTemperatures& racks, double worst_s);

/// "At worst: at 10:15".
std::string moment_heading(const ResultsReader& results, const RackTemperatures& racks, const PlanMoment& moment);

/// Plans side by side below their headings, those that are equal once below all of theirs.
class PlansSideBySide {
 public:
  void add(const std::string& heading, const std::string& plan);
  std::string html() const;

 private:
  std::vector<std::pair<std::string, std::string>> drawn_{};  ///< headings, and the plan below
};

/// The hall at these times.
std::string plans(const ResultsReader& results, const RackTemperatures& racks, double worst_s);

/// Over what powers, heats and flows of a diagram are means, and what switched meanwhile: "powers, heats and flows are means over the 1 min after it".
std::string span_words(const ResultsReader& results, double time_s);
/// Empty where the fabric is not modelled.
std::string fabric_at(const ResultsReader& results, double time_s);
std::string one_line_at(const ResultsReader& results, double time_s);
std::string cooling_at(const ResultsReader& results, double time_s);
/// With its scale; racks of which all nodes are off have a grey of their own.
std::string temperatures_over_time(const RackTemperatures& racks);
std::string hottest_racks(const ResultsReader& results, const RackTemperatures& racks);

}  // namespace wattloop::twin
