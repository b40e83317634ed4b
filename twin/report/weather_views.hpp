// Outside air and what a run made of it: a psychrometric chart, and figures by month.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "physics/water/cooling_mode.hpp"
#include "twin/results/results_reader.hpp"

namespace wattloop::twin {

/// Humidity ratio over dry bulb of the samples, coloured by the mode of the first economiser where there is one, with curves of relative
/// humidity; as SVG, with a sentence. Drawn at the pressure of the sea, since results hold none. Empty without weather that changes.
std::string psychrometric_chart(const ResultsReader& results);

/// Of one month of a run, from the means that its results hold.
struct MonthFigures {
  int month_number = 0;  ///< as `ClockNow`
  double time_s = 0.0;
  double feed_j = 0.0, it_j = 0.0, water_kg = 0.0;
  double dry_bulb_ks = 0.0;  ///< its integral over time
  double highest_die_k = 0.0;
  std::array<double, physics::all_cooling_modes.size()> mode_s{};  ///< of the first economiser

  double pue() const { return feed_j / it_j; }
  double mean_dry_bulb_k() const { return dry_bulb_ks / time_s; }
};

/// In the order of time.
std::vector<MonthFigures> months_of(const ResultsReader& results);

/// The months as a table; empty where the run has not two whole ones.
std::string months_table(const ResultsReader& results);

}  // namespace wattloop::twin
