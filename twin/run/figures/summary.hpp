// The summary of a run: figures with names and units for files and scripts, and the same as text for people.
#pragma once

#include <string>
#include <vector>

#include "core/units/units.hpp"
#include "twin/results/schema/event_record.hpp"
#include "twin/results/schema/results_schema.hpp"
#include "twin/run/meters/statistics.hpp"
#include "twin/simulation/simulation.hpp"

namespace wattloop::twin {

/// A run that has ended, with all that its summary is made of.
struct FinishedRun {
  const Plant& plant;
  const Scenario& scenario;
  const Simulation& simulation;
  const Statistics& statistics;
  double wall_time_s = 0.0;  ///< that the run took

  /// The state at its end with meters as its tables have them.
  PlantState metered_state() const { return statistics.metered(simulation.state()); }
};

/// All figures of the summary, SI units (twin/run/figures/summary.cpp).
std::vector<NamedValue> summarise(const FinishedRun& run);

/// Energy, water, costs, carbon and peaks of each calendar month, by the names of the summary; sums are those of the run (twin/run/figures/months.cpp).
std::vector<MonthRecord> months_of(const FinishedRun& run);

/// What a facility engineer reads on the terminal (twin/run/figures/summary_text.cpp).
std::string summary_text(const FinishedRun& run, UnitStyle style = UnitStyle::metric);

/// A quantity that was watched. Where each part is reported by itself, the quantity of one part.
struct WatchedItem {
  const WatchedQuantity* quantity;
  std::size_t number;
};

/// All watched quantities in the order of the summary: quantities of one part that is reported by itself follow one another.
std::vector<WatchedItem> watched_in_order(const Statistics& statistics);

/// "facility_water" of the part "facility".
std::string name_by_itself(const WatchedQuantity& quantity, std::size_t part);

/// GPU that was the first to throttle, by name; empty if none was.
std::string first_throttle_gpu(const Simulation& simulation);

/// GPUs of nodes that are switched off by their protection at the end.
std::size_t shut_down_gpus(const FinishedRun& run);

/// What moves nothing at the end, by name: coolant loops without flow, rooms of which all air handlers stand.
struct Stopped {
  std::vector<std::string> loops, rooms;
};
Stopped stopped_at_end(const FinishedRun& run);

/// What happened of one kind, in order.
std::vector<EventRecord> events_of(const Simulation& simulation, std::string_view kind);

/// Racks of nodes, switches and storage without power at the end.
std::size_t racks_without_power(const FinishedRun& run);

/// The load that came nearest to its rating, or went farthest beyond; of one kind, or of all where `kind` is empty.
std::size_t worst_load(const Statistics& statistics, const std::string& kind = {});

/// Its peak over the rating that was in service.
inline double peak_loading_ratio(const Statistics& statistics, std::size_t load) {
  return statistics.peaks[load].ratio;
}

/// Kinds of rated loads, highest loading first.
std::vector<std::string> kinds_by_loading(const Statistics& statistics);

/// What became of each job of a queue; none where jobs have fixed nodes.
std::vector<JobOutcome> job_outcomes(const FinishedRun& run);

}  // namespace wattloop::twin
