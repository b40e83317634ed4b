// What a run came to, in a dozen lines of a terminal: its verdict, what happened, the worst margins, PUE, the energy balance.
#pragma once

#include <string>

#include "core/units/units.hpp"
#include "twin/results/reader/results_reader.hpp"
#include "twin/run/figures/verdict_of_run.hpp"

namespace wattloop::twin {

/// The verdict on a run as its results have it.
struct ReadVerdict {
  std::string word{}, reasons{};  ///< "SLOWED", "all nodes worked, 139 GPU s slowed"
};
ReadVerdict read_verdict(const ResultsReader& results);

/// The title of a picture of the run: "SLOWED: two CDUs are lost".
std::string title_with_verdict(const ResultsReader& results, const std::string& title);

/// How it is printed.
struct VerdictStyle {
  UnitStyle units = UnitStyle::metric;
  bool is_coloured = false;  ///< its first word
  std::string start{};       ///< local time at which the run begins; empty: instants are times since the start
  std::string file{};        ///< of results, for who wants all events; empty: none was written
};

/// Twelve lines at most, each of 80 columns at most; a figure that the run has not has no line.
std::string run_verdict(const RunReported& run, const VerdictStyle& style);

}  // namespace wattloop::twin
