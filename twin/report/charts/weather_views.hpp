// Outside air and what a run made of it: a psychrometric chart, and figures by month.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "physics/water/cooling_mode.hpp"
#include "twin/results/reader/results_reader.hpp"

namespace wattloop::twin {

/// Humidity ratio over dry bulb of the samples, coloured by the mode of the first economiser where there is one, with curves of relative
/// humidity; as SVG, with a sentence. Drawn at the pressure of the sea, since results hold none. Empty without weather that changes.
std::string psychrometric_chart(const ResultsReader& results);

/// What samples say of one month of a run.
struct MonthSamples {
  double time_s = 0.0;
  double dry_bulb_ks = 0.0;  ///< its integral over time
  double highest_die_k = 0.0;
  std::array<double, physics::all_cooling_modes.size()> mode_s{};  ///< of the first economiser

  double mean_dry_bulb_k() const { return dry_bulb_ks / time_s; }
};

/// Of each of `months`, which are of these results; each interval of samples counts where it begins.
std::vector<MonthSamples> samples_of(const ResultsReader& results, std::span<const MonthRecord> months);

/// The months as a table: the figures that the run integrated, as `wattloop summary --monthly` prints them, and outside air, dies and modes
/// of samples; then a line of the whole run. Empty of a run of one month or of less than 28 days.
std::string months_table(const ResultsReader& results);

}  // namespace wattloop::twin
