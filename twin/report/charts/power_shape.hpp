// How power is spread over time: for how long it is above a value, and how much it swings at which pace.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "twin/results/reader/results_reader.hpp"

namespace wattloop::twin {

/// Values from the highest to the lowest, each with the share of time in which at least as much is drawn. Not a number: left out.
struct LoadDuration {
  std::vector<double> time_share;  ///< 0 to 1, of the middle of each sample
  std::vector<double> power_w;
};
LoadDuration load_duration(std::span<const float> power_w);

/// Swings of evenly sampled power by bands of a third of an octave: root mean square in W within each band, so that squares sum to the variance
/// (that of a period longer than the window counts in no band). Welch's estimate: windows of an eighth of the samples and at least 64, as cosine
/// bells that overlap by half. Source: [welch1967]. Empty with fewer than 64 samples.
struct PowerSwings {
  std::vector<double> frequency_hz;  ///< lower edges of the bands that hold something to resolve
  std::vector<double> rms_w;
};
PowerSwings power_swings(std::span<const float> power_w, double interval_s);

/// Of the facility and of IT power, as SVG. Empty where it is not recorded.
std::string load_duration_chart(const ResultsReader& results);
/// As SVG, with a sentence. Empty where it is not recorded evenly.
std::string power_swings_chart(const ResultsReader& results);

}  // namespace wattloop::twin
