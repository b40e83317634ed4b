// What a run came to: its verdict, what happened, the worst margins, what recovered, PUE, the energy balance. The terminal prints a
// dozen lines of it, the head of a report all of it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

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
  std::string all_events{};  ///< where all events are listed, in words; empty: by a command on the file
};

/// One line below the verdict.
struct VerdictLine {
  std::string label{}, words{};  ///< "hottest die", "58.11 degC, 28.9 K to throttling, ..."
  std::string more{};            ///< for pages, which have room for it: "at 12 min"; may be empty
  bool is_for_pages = false;     ///< not of the terminal
};

/// All that is known at the end of a run, in the order in which it is printed.
struct VerdictReported {
  RunVerdict verdict = RunVerdict::met;
  std::vector<std::string> reasons{};
  std::vector<VerdictLine> lines{};
};
VerdictReported verdict_reported(const RunReported& run, const VerdictStyle& style);

/// How near any rack came to a limit that acts on its work, by its records; nothing if none was recorded.
std::optional<VerdictLine> nearest_limit_line(const ResultsReader& results);

/// The colour of a verdict: on a terminal (SGR of ECMA-48) and on a page, where it stands out from white by 4.5 : 1 or more.
struct VerdictColour {
  std::string_view sgr, page;
};
VerdictColour colour_of(RunVerdict verdict);

/// Twelve lines at most, each of 80 columns at most; a figure that the run has not has no line.
std::string run_verdict(const RunReported& run, const VerdictStyle& style);

}  // namespace wattloop::twin
