// What a run came to, in ten lines of a terminal: lost or held, what happened, the worst margins, PUE, the energy balance.
#pragma once

#include <span>
#include <string>

#include "core/units.hpp"
#include "twin/results/results_schema.hpp"

namespace wattloop::twin {

/// What is told of a run at its end, and again from its results.
struct RunTold {
  std::span<const NamedValue> figures;  ///< of its summary
  std::span<const EventRecord> events;
  std::span<const LimitRecord> limits;
};

enum class Standing { held, beyond_limits, slowed, lost };

/// The worst that befell the work of the hall.
Standing standing(const RunTold& run);

/// Ten lines at most, each of 80 columns at most; a figure that the run has not has no line. `is_coloured`: its first word.
std::string run_verdict(const RunTold& run, UnitStyle style, bool is_coloured);

}  // namespace wattloop::twin
